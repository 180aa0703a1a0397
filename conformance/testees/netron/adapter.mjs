// Plugs Netron into the conformance suite, as ../../PROTOCOL.md says.
//
// Netron is a viewer. It has its own JSON reader (json.js), its own copy of the types of
// torch._export.serde.schema and of the deserializer (python.js), and a reader that drives them
// (pytorch.js). What is asked of it here:
//
//   wire    json.js reads the text, as if its open() had found that it may be JSON: that looks
//           for an object or array, and so refuses texts that are other values.
//   decode  its reader takes the document for an exported program, and its types take the tree.
//   check   all that opening the file does: the deserializer makes a graph, and pytorch.js the
//           model that is drawn. It judges no program, so its level is `schema`.
//
// An exception of Netron is a refusal: it tells the user so and shows nothing.
//
//     node adapter.mjs HOME      HOME/netron has the files of the wheel

import * as fs from 'node:fs';
import * as path from 'node:path';
import * as url from 'node:url';

import { serve } from '../testee.mjs';

const home = path.resolve(process.argv[2] ?? '.');
const folder = path.join(home, 'netron');
const load = (file) => import(url.pathToFileURL(path.join(folder, file)));
const [base, json, python, pytorch, text] =
    await Promise.all(['base.js', 'json.js', 'python.js', 'pytorch.js', 'text.js'].map(load));

// Standard output is the protocol's.
console.log = console.error;
console.info = console.error;
console.debug = console.error;

class NoProgram extends Error {}

// What view.js gives a reader of one file that lies alone: no siblings, no other format than JSON.
class Context {

    constructor(bytes) {
        this.identifier = 'serialized_exported_program.json';
        this.stream = new base.BinaryStream(bytes);
    }

    async peek(type) {
        return type === 'json' ? this.read('json') : undefined;
    }

    async read(type) {
        if (type !== 'json') {
            return null;
        }
        this.tree ??= readJson(this.stream);
        return this.tree;
    }

    async fetch(name) {
        throw new Error(`There is no ${name}.`);
    }

    async asset(name) {
        return fs.readFileSync(path.join(folder, name), 'utf-8');
    }

    set(type, value) {
        this.type = type;
        this.value = value;
        return type;
    }

    // Types and operators that Netron does not know: it shows the model nonetheless.
    error() {}
}

function readJson(stream) {
    const reader = json.TextReader.open(stream);
    if (!reader) {
        throw new NoProgram('json.TextReader.open: no JSON');
    }
    return reader.read();
}

const factory = new pytorch.ModelFactory();
const types = new python.Execution().__import__('torch')._export.serde.schema;

async function match(bytes) {
    const context = new Context(bytes);
    if (!await factory.match(context)) {
        throw new NoProgram('pytorch.Reader.ExportedProgram.open: no exported program');
    }
    return context;
}

const operations = {
    wire: async (bytes) => new json.TextReader(text.Decoder.open(bytes)).read(),
    decode: async (bytes) => {
        const context = await match(bytes);
        return new types.ExportedProgram(await context.peek('json'));
    },
    check: async (bytes) => factory.open(await match(bytes))
};

async function judge(request, bytes) {
    const operation = operations[request.operation];
    if (!operation || request.options) {
        return [{ verdict: 'unsupported', message: 'no such operation or option' }];
    }
    try {
        await operation(new Uint8Array(bytes));
        return [{ verdict: 'valid' }];
    } catch (error) {
        const message = `${error.name}: ${error.message}`.slice(0, 300);
        const full = error instanceof RangeError && error.message.includes('call stack');
        return [{ verdict: full ? 'error' : 'invalid', message }];
    }
}

function version() {
    const name = fs.readdirSync(home).find((name) => /^netron-.*\.dist-info$/.test(name));
    return name ? name.slice('netron-'.length, -'.dist-info'.length) : 'unknown';
}

await serve({ name: 'Netron', version: version(), operations: Object.keys(operations), level: 'schema' },
    judge);
