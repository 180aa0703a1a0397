// The protocol of ../PROTOCOL.md for testees that are written in JavaScript.
//
//   await serve(hello, answer)
//
// hello is what the testee can do, without type and protocol; answer(request, document, other)
// returns, or promises, the header of the answer without id and size, and the product if there is
// one, which is bytes or a text.

import { readSync, writeSync } from "node:fs";

let held = Buffer.alloc(0); // what has come and was not asked for yet

/** So many bytes of standard input. */
function take(size) {
  const pieces = [held];
  let got = held.length;
  while (got < size) {
    const piece = Buffer.alloc(Math.min(size - got, 1 << 20));
    const read = readSync(0, piece);
    if (read === 0) {
      throw new Error("the input ends in a document");
    }
    pieces.push(piece.subarray(0, read));
    got += read;
  }
  const all = Buffer.concat(pieces);
  held = all.subarray(size);
  return all.subarray(0, size);
}

/** The object of the next line; null where there is none. */
function line() {
  while (!held.includes(10)) {
    const piece = Buffer.alloc(1 << 16);
    const read = readSync(0, piece);
    if (read === 0) {
      return null;
    }
    held = Buffer.concat([held, piece.subarray(0, read)]);
  }
  return JSON.parse(take(held.indexOf(10) + 1).toString());
}

function write(bytes) {
  for (let at = 0; at < bytes.length;) {
    at += writeSync(1, bytes, at);
  }
}

function send(header, product) {
  const bytes = product === undefined ? Buffer.alloc(0) : Buffer.from(product);
  const size = product === undefined ? {} : { size: bytes.length };
  write(Buffer.from(JSON.stringify({ ...header, ...size }) + "\n"));
  write(bytes);
}

/** Answers requests until there are no more. */
export async function serve(hello, answer) {
  for (let said = line(); said !== null; said = line()) {
    if (said.type === "hello") {
      send({ type: "hello", protocol: 1, ...hello });
      continue;
    }
    const document = take(said.size ?? 0);
    const [header, product] = await answer(said, document, take(said.other ?? 0));
    send({ id: said.id, ...header }, product);
  }
}
