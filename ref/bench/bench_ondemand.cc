/*
 * bench_ondemand.cc - the benchmark's peer simdjson by its other interface, On Demand: no tree is
 * made. Each value is visited, and each string and number read, in the order of the text.
 */
#include "bench.h"

#include <string>

#include <simdjson.h>

using simdjson::ondemand::json_type;

namespace {

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

} // namespace

int main(int argc, char **argv)
{
    bench_peer peer = {};
    peer.name = "simdjson On Demand";
    peer.version = SIMDJSON_STRINGIFY(SIMDJSON_VERSION);
    peer.decode = decode;
    peer.drop_tree = drop_tree;
    return bench_main(argc, argv, &peer);
}
