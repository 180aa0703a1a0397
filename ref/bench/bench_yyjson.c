/*
 * bench_yyjson.c - the benchmark's peer yyjson: read into its immutable
 * document and write that, with the default flags (strict, no duplicate check).
 */
#include "bench.h"

#include <stdlib.h>

#include "yyjson.h"

static void *decode(bench_text input)
{
    return yyjson_read(input.data, input.size, 0);
}

static void drop_tree(void *tree)
{
    yyjson_doc_free(tree);
}

static bool encode(void *tree, size_t room, bench_output *output)
{
    (void)room; /* it estimates its own buffer from the document */
    char *text = yyjson_write(tree, 0, &output->size);
    output->owner = text;
    output->data = text;
    return text != NULL;
}

static void drop_output(bench_output *output)
{
    free(output->owner);
}

int main(int argc, char **argv)
{
    const bench_peer peer = {.name = "yyjson",
                             .version = YYJSON_VERSION_STRING,
                             .decode = decode,
                             .drop_tree = drop_tree,
                             .encode = encode,
                             .drop_output = drop_output};
    return bench_main(argc, argv, &peer);
}
