// What the module is told of the world, as WASI (preview 1) has it: arguments, files that are
// there in memory or read piece by piece, and what it writes. No clock, no network, no folder
// but one that has these files.

const SUCCESS = 0, BADF = 8, EXIST = 20, INVAL = 28, NOENT = 44, NOSYS = 52, NOTDIR = 54;
const CHARACTERS = 2, FOLDER = 3, FILE = 4; // types of files
const CREATE = 1, ONLY_FOLDER = 2, EXCLUSIVE = 4, TRUNCATE = 8; // how a file is opened
const ROOT = 3; // the descriptor of the folder
const ALL_RIGHTS = (1n << 64n) - 1n;

/** Thrown by the module's own exit. */
class Exit {
  constructor(status) {
    this.status = status;
  }
}

/** Bytes that come in pieces, each of which is the module's until it goes on. */
class Product {
  pieces = [];
  size = 0;

  put(piece) {
    this.pieces.push(piece.slice());
    this.size += piece.length;
  }

  bytes() {
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }
}

/** A file that is read: {size, read(place, size)}. */
class Input {
  type = FILE;
  place = 0;

  constructor(source) {
    this.source = source;
    this.size = source.size;
  }

  /** At most so many bytes from a place on. */
  read(place, size) {
    const wanted = Math.max(0, Math.min(size, this.size - place));
    const got = wanted === 0 ? new Uint8Array(0) : this.source.read(place, wanted);
    if (got.length !== wanted) {
      throw new Error("a source gave another number of bytes than it was asked for");
    }
    return got;
  }
}

/** A stream or a new file that is written. */
class Output {
  product = new Product();
  place = 0;
  size = 0;

  constructor(type) {
    this.type = type;
  }

  write(piece) {
    this.product.put(piece);
  }
}

export class System {
  /** @param sources Map of a name to what has its bytes */
  constructor(words, sources) {
    this.words = words.map((word) => new TextEncoder().encode(word + "\0"));
    this.sources = sources;
    this.made = new Map();
    this.failure = null;
    this.open = [new Input({ size: 0 }), new Output(CHARACTERS), new Output(CHARACTERS),
      { type: FOLDER, size: 0 }];
  }

  /** Runs the module to its end, and gives its exit status. */
  run(module) {
    const names = WebAssembly.Module.imports(module).map(({ name }) => name);
    const imports = Object.fromEntries(names.map((name) => [name, this.bound(name)]));
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
    this.memory = instance.exports.memory;
    try {
      instance.exports._start();
      return 0;
    } catch (thrown) {
      if (thrown instanceof Exit) {
        return thrown.status;
      }
      throw this.failure ?? thrown;
    }
  }

  bound(name) {
    return name in this ? this[name].bind(this) : () => NOSYS;
  }

  written(descriptor) {
    return this.open[descriptor].product.bytes();
  }

  // ---- memory; it may be another one after each call of the module

  view() {
    return new DataView(this.memory.buffer);
  }

  bytes(place, size) {
    return new Uint8Array(this.memory.buffer, place >>> 0, size >>> 0);
  }

  put32(place, number) {
    this.view().setUint32(place >>> 0, number, true);
    return SUCCESS;
  }

  put64(place, number) {
    this.view().setBigUint64(place >>> 0, BigInt(number), true);
    return SUCCESS;
  }

  /** The pieces of memory that a list names. */
  pieces(list, count) {
    const view = this.view();
    return Array.from({ length: count }, (_, i) => {
      const place = (list >>> 0) + 8 * i;
      return this.bytes(view.getUint32(place, true), view.getUint32(place + 4, true));
    });
  }

  // ---- the process

  args_sizes_get(count, size) {
    this.put32(count, this.words.length);
    return this.put32(size, this.words.reduce((sum, word) => sum + word.length, 0));
  }

  args_get(places, text) {
    for (const [i, word] of this.words.entries()) {
      this.put32((places >>> 0) + 4 * i, text);
      this.bytes(text, word.length).set(word);
      text += word.length;
    }
    return SUCCESS;
  }

  clock_time_get(_clock, _precision, to) {
    return this.put64(to, 0n); // nothing that is told depends on it
  }

  proc_exit(status) {
    throw new Exit(status);
  }

  // ---- files that are open

  fd_close(descriptor) {
    if (this.open[descriptor] === undefined) {
      return BADF;
    }
    this.open[descriptor] = undefined;
    return SUCCESS;
  }

  fd_fdstat_get(descriptor, to) {
    const file = this.open[descriptor];
    if (file === undefined) {
      return BADF;
    }
    this.bytes(to, 24).fill(0);
    this.view().setUint8(to >>> 0, file.type);
    this.put64((to >>> 0) + 8, ALL_RIGHTS);
    return this.put64((to >>> 0) + 16, ALL_RIGHTS);
  }

  tell(file, to) {
    this.bytes(to, 64).fill(0);
    this.view().setUint8((to >>> 0) + 16, file.type);
    this.put64((to >>> 0) + 24, 1); // links
    return this.put64((to >>> 0) + 32, file.size);
  }

  fd_filestat_get(descriptor, to) {
    const file = this.open[descriptor];
    return file === undefined ? BADF : this.tell(file, to);
  }

  /** Fills pieces of memory from a place on. What a source throws ends the call. */
  fill(file, pieces, place, got) {
    let done = 0;
    try {
      for (const piece of pieces) {
        const read = file.read(place + done, piece.length);
        piece.set(read);
        done += read.length;
        if (read.length < piece.length) {
          break;
        }
      }
    } catch (thrown) {
      this.failure = thrown;
      throw thrown;
    }
    file.place = place + done;
    return this.put32(got, done);
  }

  fd_read(descriptor, list, count, got) {
    const file = this.open[descriptor];
    return file instanceof Input ? this.fill(file, this.pieces(list, count), file.place, got) : BADF;
  }

  fd_pread(descriptor, list, count, place, got) {
    const file = this.open[descriptor];
    if (!(file instanceof Input)) {
      return BADF;
    }
    const before = file.place;
    const said = this.fill(file, this.pieces(list, count), Number(place), got);
    file.place = before;
    return said;
  }

  fd_seek(descriptor, offset, whence, to) {
    const file = this.open[descriptor];
    if (!(file instanceof Input)) {
      return BADF;
    }
    const place = [0, file.place, file.size][whence] + Number(offset);
    if (!(place >= 0)) {
      return INVAL;
    }
    file.place = place;
    return this.put64(to, place);
  }

  fd_tell(descriptor, to) {
    return this.fd_seek(descriptor, 0n, 1, to);
  }

  fd_write(descriptor, list, count, put) {
    const file = this.open[descriptor];
    if (!(file instanceof Output)) {
      return BADF;
    }
    let done = 0;
    for (const piece of this.pieces(list, count)) {
      file.write(piece);
      done += piece.length;
    }
    return this.put32(put, done);
  }

  fd_prestat_get(descriptor, to) {
    if (descriptor !== ROOT) {
      return BADF;
    }
    this.put32(to, 0);
    return this.put32((to >>> 0) + 4, 1);
  }

  fd_prestat_dir_name(descriptor, to, size) {
    if (descriptor !== ROOT || size < 1) {
      return BADF;
    }
    this.bytes(to, 1)[0] = 0x2f; // "/"
    return SUCCESS;
  }

  // ---- files by their names

  name(place, size) {
    return new TextDecoder().decode(this.bytes(place, size));
  }

  path_filestat_get(_folder, _flags, path, size, to) {
    const name = this.name(path, size);
    if (name === "." || name === "") {
      return this.tell(this.open[ROOT], to);
    }
    const source = this.sources.get(name);
    return source === undefined ? NOENT : this.tell({ type: FILE, size: source.size }, to);
  }

  opened(name, how) {
    if (how & (CREATE | TRUNCATE)) {
      const file = new Output(FILE);
      this.made.set(name, file);
      return file;
    }
    return this.sources.has(name) ? new Input(this.sources.get(name)) : undefined;
  }

  path_unlink_file(_folder, path, size) {
    return this.made.delete(this.name(path, size)) ? SUCCESS : NOENT;
  }

  path_open(_folder, _flags, path, size, how, _base, _inherited, _fileFlags, to) {
    const name = this.name(path, size);
    if (how & ONLY_FOLDER) {
      return this.sources.has(name) ? NOTDIR : NOENT;
    }
    if (how & EXCLUSIVE && (this.sources.has(name) || this.made.has(name))) {
      return EXIST;
    }
    const file = this.opened(name, how);
    return file === undefined ? NOENT : this.put32(to, this.open.push(file) - 1);
  }
}
