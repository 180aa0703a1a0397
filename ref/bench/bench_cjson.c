/*
 * bench_cjson.c - the benchmark's peer cJSON: parse into its linked nodes and
 * print them without white space.
 */
#include "bench.h"

#include <string.h>

#include <cjson/cJSON.h>

static void *decode(bench_text input)
{
    return cJSON_ParseWithLength(input.data, input.size);
}

static void drop_tree(void *tree)
{
    cJSON_Delete(tree);
}

static bool encode(void *tree, size_t room, bench_output *output)
{
    (void)room; /* cJSON_PrintBuffered would take it, and is no faster */
    char *text = cJSON_PrintUnformatted(tree);
    if (text == NULL) return false;
    output->owner = text;
    output->data = text;
    output->size = strlen(text);
    return true;
}

static void drop_output(bench_output *output)
{
    cJSON_free(output->owner);
}

int main(int argc, char **argv)
{
    const bench_peer peer = {.name = "cjson",
                             .version = cJSON_Version(),
                             .decode = decode,
                             .drop_tree = drop_tree,
                             .encode = encode,
                             .drop_output = drop_output};
    return bench_main(argc, argv, &peer);
}
