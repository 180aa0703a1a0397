#!/bin/sh
# An adapter that plugs a reader of ExportedProgram JSON into epconform.
#
#     epconform run --proc='sh starter.sh'
#
# It runs as it is: it refuses a document without bytes and takes any other, so that
# the runner shows what it should refuse. Put your command into judge, and the operations that it knows
# into hello. If your command says by its exit status whether it takes a file, you
# need no adapter: epconform run --cmd='my-reader {file}'.
# conformance/PROTOCOL.md says what may stand in a request and an answer.
set -eu

hello='{"type": "hello", "protocol": 1, "name": "my-reader", "version": "0.1",
        "operations": ["wire", "decode"]}'

document=$(mktemp ./document.XXXXXX)    # epconform runs this in a folder of its own
product=$(mktemp ./product.XXXXXX)
trap 'rm -f "$document" "$product"' EXIT

# judge OPERATION REQUEST: the document is in $document. Prints what the answer says
# behind its id; of an operation with a product, such as encode, it writes that to
# $product first.
judge() {
    if [ ! -s "$document" ]; then
        echo '"verdict": "invalid", "message": "no bytes"'
        return
    fi
    # ---- Put your reader here. For example:
    #     status=0
    #     my-reader "$document" >"$product" || status=$?
    #     case $1-$status in
    #         encode-0) echo '"verdict": "valid", "size": '"$(wc -c <"$product")" ;;
    #         *-0) echo '"verdict": "valid"' ;;
    #         *-1) echo '"verdict": "invalid"' ;;
    #         *) echo '"verdict": "error", "message": "status '"$status"'"' ;;
    #     esac
    # ----
    echo '"verdict": "valid", "message": "no reader yet"'
}

# value NAME REQUEST: a number or word of the request.
value() {
    printf '%s\n' "$2" | sed -n 's/.*"'"$1"'": *"\{0,1\}\([^",}]*\).*/\1/p'
}

while IFS= read -r request; do
    if [ "$(value type "$request")" = hello ]; then
        printf '%s\n' "$hello" | tr '\n' ' '
        echo
        continue
    fi
    size=$(value size "$request")
    head -c "${size:-0}" >"$document"
    : >"$product"
    said=$(judge "$(value operation "$request")" "$request")
    printf '{"id": %s, %s}\n' "$(value id "$request")" "$said"
    case $said in *'"size"'*) cat "$product" ;; esac
done
