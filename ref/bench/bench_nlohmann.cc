/*
 * bench_nlohmann.cc - the benchmark's peer nlohmann/json, the parser below
 * PyTorch's own C++ types: parse into its value type and dump that.
 */
#include "bench.h"

#include <string>

#include <nlohmann/json.hpp>

using nlohmann::json;

static void *decode(bench_text input)
{
    const bool exceptions = false;
    auto *value = new json(json::parse(input.data, input.data + input.size, nullptr, exceptions));
    if (!value->is_discarded()) return value;
    delete value;
    return nullptr;
}

static void drop_tree(void *tree)
{
    delete static_cast<json *>(tree);
}

static bool encode(void *tree, size_t room, bench_output *output)
{
    (void)room;
    auto *text = new std::string(static_cast<json *>(tree)->dump());
    output->owner = text;
    output->data = text->data();
    output->size = text->size();
    return true;
}

static void drop_output(bench_output *output)
{
    delete static_cast<std::string *>(output->owner);
}

int main(int argc, char **argv)
{
    const std::string version = std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                                std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                                std::to_string(NLOHMANN_JSON_VERSION_PATCH);
    bench_peer peer = {};
    peer.name = "nlohmann";
    peer.version = version.c_str();
    peer.decode = decode;
    peer.drop_tree = drop_tree;
    peer.encode = encode;
    peer.drop_output = drop_output;
    return bench_main(argc, argv, &peer);
}
