/*
 * bench_simdjson.cc - the benchmark's peer simdjson: parse into its DOM (the
 * tape) and print that. A parser is made for each run, as every other peer
 * makes its tree anew; simdjson picks its instruction set by itself.
 */
#include "bench.h"

#include <string>

#include <simdjson.h>

static_assert(simdjson::SIMDJSON_PADDING <= BENCH_PADDING, "the input needs more padding");

namespace {

struct parsed {
    simdjson::dom::parser parser; /* owns what root points into */
    simdjson::dom::element root;
};

void *decode(bench_text input)
{
    auto *tree = new parsed;
    const bool copy = false; /* bench.c has padded the input */
    if (tree->parser.parse(input.data, input.size, copy).get(tree->root) == simdjson::SUCCESS) {
        return tree;
    }
    delete tree;
    return nullptr;
}

void drop_tree(void *tree)
{
    delete static_cast<parsed *>(tree);
}

bool encode(void *tree, size_t room, bench_output *output)
{
    (void)room;
    auto *text = new std::string(simdjson::minify(static_cast<parsed *>(tree)->root));
    output->owner = text;
    output->data = text->data();
    output->size = text->size();
    return true;
}

void drop_output(bench_output *output)
{
    delete static_cast<std::string *>(output->owner);
}

} // namespace

int main(int argc, char **argv)
{
    const std::string version = std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." +
                                std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." +
                                std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
    bench_peer peer = {};
    peer.name = "simdjson";
    peer.version = version.c_str();
    peer.decode = decode;
    peer.drop_tree = drop_tree;
    peer.encode = encode;
    peer.drop_output = drop_output;
    return bench_main(argc, argv, &peer);
}
