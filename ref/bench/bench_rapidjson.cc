/*
 * bench_rapidjson.cc - the benchmark's peer RapidJSON: parse into its DOM and
 * write that, with the default flags (text is not checked to be UTF-8).
 */
#include "bench.h"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

static void *decode(bench_text input)
{
    auto *document = new rapidjson::Document;
    /* The zero behind the input ends it: fewer instructions than by length. */
    document->Parse(input.data);
    if (!document->HasParseError()) return document;
    delete document;
    return nullptr;
}

static void drop_tree(void *tree)
{
    delete static_cast<rapidjson::Document *>(tree);
}

static bool encode(void *tree, size_t room, bench_output *output)
{
    (void)room; /* its buffer grows by halves; that is how it is used */
    auto *buffer = new rapidjson::StringBuffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(*buffer);
    const bool ok = static_cast<rapidjson::Document *>(tree)->Accept(writer);
    output->owner = buffer;
    output->data = buffer->GetString();
    output->size = buffer->GetSize();
    return ok;
}

static void drop_output(bench_output *output)
{
    delete static_cast<rapidjson::StringBuffer *>(output->owner);
}

int main(int argc, char **argv)
{
    bench_peer peer = {};
    peer.name = "rapidjson";
    peer.version = RAPIDJSON_VERSION_STRING;
    peer.decode = decode;
    peer.drop_tree = drop_tree;
    peer.encode = encode;
    peer.drop_output = drop_output;
    return bench_main(argc, argv, &peer);
}
