// An adapter that plugs a reader of ExportedProgram JSON into epconform.
//
//     epconform run --proc='node starter.js'
//
// It runs as it is, and says of each text whether JSON.parse reads it. Put your
// reader into judge(), and the operations that it knows into HELLO.
// conformance/PROTOCOL.md says what may stand in a request and an answer.
'use strict';
const fs = require('fs');

const HELLO = {
  type: 'hello', protocol: 1,
  name: 'my-reader', version: '0.1',
  operations: ['wire', 'decode'],       // of conformance/vectors/README.md
  // schemas: ['8.20'],                 // the versions that you read, if not all
  // reports: ['code', 'pointer'],      // what you say of a refusal, if anything
};

class Refused extends Error {}          // the document is not valid
class Unsupported extends Error {}      // I cannot judge this

// Returns the product (a Buffer), null where there is none; or throws one of the
// two above.
function judge(operation, options, document) {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw new Refused(error.message);
    throw error;
  }
  if (operation === 'wire') return null;
  // ---- Put your reader here: `document` is a Buffer, `options` an object. ----
  throw new Unsupported('no reader yet');
}

function answer(request, document) {
  try {
    const product = judge(request.operation, request.options || {}, document);
    return product === null ? { verdict: 'valid' } : { verdict: 'valid', product };
  } catch (error) {                     // any other error is mine: never a refusal
    const verdict = error instanceof Refused ? 'invalid'
      : error instanceof Unsupported ? 'unsupported' : 'error';
    return { verdict, message: String(error.message).slice(0, 300) };
  }
}

// Writes all of it; a pipe that is full is tried again.
function write(data) {
  for (let at = 0; at < data.length;) {
    try { at += fs.writeSync(1, data, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
  }
}

function reply(request, document) {
  const { product, ...said } = request.type === 'hello' ? HELLO
    : { id: request.id, ...answer(request, document) };
  if (product) said.size = product.length;
  write(Buffer.concat([Buffer.from(JSON.stringify(said) + '\n'), product || Buffer.alloc(0)]));
}

let chunks = [], have = 0, request = null;   // what has come, and the header, if it has
process.stdin.on('data', (chunk) => {
  chunks.push(chunk);
  have += chunk.length;
  while (request ? have >= (request.size || 0) : chunk.includes(10)) {
    const all = Buffer.concat(chunks), end = request ? request.size || 0 : all.indexOf(10) + 1;
    if (request) reply(request, all.subarray(0, end));
    request = request ? null : JSON.parse(all.subarray(0, end));
    chunks = [chunk = all.subarray(end)];
    have = chunk.length;
  }
});
