/*
 * bench_simdjson.cc - the benchmark's peer simdjson: parse into its DOM (the tape) and print that;
 * with BENCH_ONDEMAND by its other interface, which makes no tree: each value is visited, each
 * string and number read. A parser is made for each run, as every other peer makes its tree anew;
 * simdjson picks its instruction set by itself.
 */
#include "bench.h"

#include <string>

#include <simdjson.h>

static_assert(simdjson::SIMDJSON_PADDING <= BENCH_PADDING, "the input needs more padding");

namespace {

#ifdef BENCH_ONDEMAND

using simdjson::ondemand::json_type;

struct visited {
    simdjson::ondemand::parser parser;
    size_t values = 0;
};

void visit(simdjson::ondemand::value value, size_t &count)
{
    count++;
    switch (value.type()) {
    case json_type::object:
        for (auto field : value.get_object()) {
            count += field.unescaped_key().value().size() > 0;
            visit(field.value(), count);
        }
        break;
    case json_type::array:
        for (auto item : value.get_array()) {
            visit(item.value(), count);
        }
        break;
    case json_type::string:
        count += value.get_string().value().size() > 0;
        break;
    case json_type::number:
        count += value.get_double().value() != 0;
        break;
    default:
        break;
    }
}

void *decode(bench_text input)
{
    auto *seen = new visited;
    try {
        auto document = seen->parser.iterate(input.data, input.size,
                                             input.size + simdjson::SIMDJSON_PADDING);
        for (auto field : document.get_object()) {
            visit(field.value(), seen->values);
        }
        return seen;
    } catch (const simdjson::simdjson_error &) {
        delete seen;
        return nullptr;
    }
}

void drop_tree(void *tree)
{
    delete static_cast<visited *>(tree);
}

#else

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

#endif

} // namespace

int main(int argc, char **argv)
{
    const std::string version = std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." +
                                std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." +
                                std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
    bench_peer peer = {};
#ifdef BENCH_ONDEMAND
    peer.name = "simdjson On Demand";
#else
    peer.name = "simdjson";
    peer.encode = encode;
    peer.drop_output = drop_output;
#endif
    peer.version = version.c_str();
    peer.decode = decode;
    peer.drop_tree = drop_tree;
    return bench_main(argc, argv, &peer);
}
