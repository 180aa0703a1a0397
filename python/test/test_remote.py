"""Tests of reading by ranges: file objects, and URLs through fsspec, from a server of our own.

    python test_remote.py GOLDEN      the folder of golden programs

Without fsspec and aiohttp, what needs them is skipped.
"""

import contextlib
import http.server
import importlib.util
import io
import os
import pathlib
import pickle
import re
import struct
import sys
import tempfile
import threading
import time
import tracemalloc
import unittest
import zipfile

import epref

HAS_FSSPEC = importlib.util.find_spec("fsspec") is not None
HAS_HTTP = HAS_FSSPEC and importlib.util.find_spec("aiohttp") is not None
HAS_NUMPY = importlib.util.find_spec("numpy") is not None
if HAS_FSSPEC:
    import fsspec

GOLDEN = pathlib.Path(sys.argv.pop(1))
LINEAR = GOLDEN / "2.13.0/linear/model.pt2"
ZOO = GOLDEN / "2.13.0/weights_zoo/model.pt2"
PROGRAM = GOLDEN / "2.13.0/dynamic_batch/program.json"
MIB = 1 << 20
TAIL = 65578  # which the library looks at


def large(folder, count, size, nodes):
    """An archive of `count` weights of `size` MiB, and a program of so many nodes."""
    builder = epref.Builder("torch-2.13")
    shape = (size, MIB // 4)
    for i in range(count):
        builder.input(builder.graph.tensor(f"p_{i}", "float32", shape, requires_grad=True),
                      "parameter", f"w{i}")
    last = builder.graph.tensor("x", "float32", (2,))
    builder.input(last)
    for i in range(nodes):
        out = builder.graph.tensor(f"relu_{i}", "float32", (2,))
        builder.graph.node("torch.ops.aten.relu.default", {"self": last}, [out])
        last = out
    builder.output(last)
    rows = [f'"w{i}": {{"dtype": "F32", "shape": {list(shape)}, "data_offsets": '
            f'[{i * size * MIB}, {(i + 1) * size * MIB}]}}' for i in range(count)]
    head = ("{" + ", ".join(rows) + "}").encode()
    weights, program, path = folder / "w.safetensors", folder / "p.json", folder / "large.pt2"
    program.write_bytes(builder.build().encode())
    with weights.open("wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        file.truncate(8 + len(head) + count * size * MIB)
    epref.pack(path, program, tensors=weights)
    return path


class Counting(io.RawIOBase):
    """A file that counts what is read."""

    def __init__(self, path):
        self.file = open(path, "rb", buffering=0)
        self.reads = []

    def seekable(self):
        return True

    def seek(self, *words):
        return self.file.seek(*words)

    def tell(self):
        return self.file.tell()

    def read(self, size=-1):
        data = self.file.read(size)
        self.reads.append(len(data))
        return data

    def close(self):
        self.file.close()
        super().close()

    def cost(self):
        """Requests and bytes."""
        return len(self.reads), sum(self.reads)


class Broken(io.BytesIO):
    """A file object that does not give what it has."""

    def __init__(self, data, fault):
        super().__init__(data)
        self.fault = fault
        self.on = False

    def read(self, size=-1):
        return self.fault(super().read(size)) if self.on else super().read(size)


def raising(error):
    def fault(_):
        raise error
    return fault


class Files(unittest.TestCase):
    def cost(self, path, use):
        with contextlib.closing(Counting(path)) as file:
            use(file)
            return file.cost()

    @staticmethod
    def by_zipfile(file):
        archive = zipfile.ZipFile(file)
        archive.read(next(name for name in archive.namelist() if name.endswith("/model.json")))

    def test_cost(self):
        """A program costs no more requests than zipfile needs, and half as many bytes again; of
        many weights the headers are looked at, too."""
        with tempfile.TemporaryDirectory() as folder:
            path = large(pathlib.Path(folder), 1, 24, 100)
            requests, size = self.cost(path, self.by_zipfile)
            self.assertGreater(size, 40_000)
            ours = self.cost(path, epref.load)
            self.assertLessEqual(ours[0], requests)
            self.assertLessEqual(ours[1], 1.5 * size)
            self.assertLessEqual(self.cost(path, lambda file: epref.Archive(file).stored())[1],
                                 1.5 * size)
            requests, size = self.cost(path, epref.check)
            self.assertLessEqual(requests, 10)
            self.assertLessEqual(size, path.stat().st_size + TAIL)
            wanted = epref.Archive(path)
            with contextlib.closing(Counting(path)) as file:
                archive = epref.Archive(file)
                tracemalloc.start()
                self.assertEqual(archive.digest(), wanted.digest())
                self.assertLess(tracemalloc.get_traced_memory()[1], 12 * MIB)
                tracemalloc.stop()
        with tempfile.TemporaryDirectory() as folder:
            path = large(pathlib.Path(folder), 100, 1, 80)
            requests, size = self.cost(path, self.by_zipfile)
            ours = self.cost(path, epref.load)
            self.assertLessEqual(ours[0], requests + 100)
            self.assertLessEqual(ours[1], 1.5 * size + 100 * 200)

    def test_shuffled(self):
        """Members in another order than the directory's are not read again and again."""
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for i in range(400):
                archive.writestr(f"a/{i}", bytes(2000))
            archive.writestr("a/models/model.json", PROGRAM.read_bytes())
            archive.filelist.reverse()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.pt2"
            path.write_bytes(data.getvalue())
            requests, size = self.cost(path, epref.check)
        self.assertLess(size, 3 * len(data.getvalue()))

    def test_same(self):
        """What is said of an archive by ranges is what is said of it in bytes."""
        for path in (LINEAR, ZOO, *sorted(GOLDEN.glob("2.[0-9]*.*/linear/model.pt2"))[::3]):
            data = path.read_bytes() + b""
            one, two = epref.Archive(data), epref.Archive(io.BytesIO(data))
            self.assertEqual((one.members, one.digest(), one.audit(), one.program()),
                             (two.members, two.digest(), two.audit(), two.program()))
            self.assertEqual([each.tobytes() for each in one.stored() if not each.fault],
                             [each.tobytes() for each in two.stored() if not each.fault])
            self.assertFalse(any(each.is_shared for each in two.stored()))
            if HAS_NUMPY:
                self.assertEqual({name: array.tobytes() for name, array in one.arrays().items()},
                                 {name: array.tobytes() for name, array in two.arrays().items()})
            behind = io.BytesIO(b"before" + data)
            behind.seek(6)
            self.assertEqual(epref.check(behind), one.check())
            self.assertEqual((behind.tell(), epref.load(behind)), (6, one.program()))
            for cut in (data[:-30], data[:100], data[:4], b"PK\3\4" + bytes(100_000),
                        data.replace(b"PK\1\2", b"PK\1\2\xff" * 1)):
                self.assertEqual(epref.check(io.BytesIO(cut)), epref.check(cut))

    def test_programs(self):
        data = PROGRAM.read_bytes()
        wanted = epref.load(data)
        self.assertEqual(epref.load(io.BytesIO(data)), wanted)
        spaced = data + b" " * (5 * MIB)
        self.assertEqual(epref.load(io.BytesIO(spaced)), wanted)
        few = epref.Limits(bytes=MIB)
        self.assertEqual([each.code for each in epref.check(io.BytesIO(spaced), limits=few)],
                         ["EP_LIMIT_BYTES"])
        self.assertEqual([each.code for each in epref.check(io.BytesIO())],
                         [each.code for each in epref.check(b"")])

    def test_own_exceptions(self):
        """What a file object raises is raised, wherever it is; and nothing of it stays."""
        class Own(Exception):
            pass
        with tempfile.TemporaryDirectory() as folder:
            path = large(pathlib.Path(folder), 2, 1, 10)
            data = path.read_bytes()
            for error in (Own("own"), KeyError("k"), KeyboardInterrupt(), OSError(5, "own")):
                file = Broken(data, raising(error))
                archive = epref.Archive(file)
                archive.stored()
                file.on = True
                to = pathlib.Path(folder) / "to"
                for use in (archive.check, archive.digest, archive.audit, archive.weights_digest,
                            archive.tensors()["w0"].tobytes, lambda: archive.extract(to),
                            lambda: archive.migrate(to, "torch-2.12"),
                            lambda: archive.read(archive.members[0].name)):
                    with self.assertRaises(type(error)) as caught:
                        use()
                    self.assertIs(caught.exception, error)
                self.assertFalse(to.exists())
                file.on = False
                self.assertEqual(archive.check(), [])
                file.on = True
                file.seek(0)
                self.assertRaises(type(error), lambda: epref.Archive(file))

    def test_wrong_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            data = large(pathlib.Path(folder), 2, 1, 10).read_bytes()
        for fault, error in ((lambda part: part[:-1], None), (lambda part: b"", epref.RemoteError),
                             (lambda part: None, epref.RemoteError),
                             (lambda part: part + b"x", epref.NoRangesError),
                             (lambda part: "x", TypeError)):
            file = Broken(data, fault)
            archive = epref.Archive(file)
            file.on = True
            if error is None:  # as raw files may do
                self.assertRaises(epref.RemoteError, archive.check)
            else:
                self.assertRaises(error, archive.check)
        file = io.BytesIO(data)
        archive = epref.Archive(file)
        file.seek(0, 2)
        file.write(b"more")
        self.assertRaises(epref.ChangedError, archive.check)
        file.truncate(len(data))
        self.assertEqual(archive.check(), [])
        file.close()
        self.assertRaises(ValueError, archive.check)

    def test_threads(self):
        archive = epref.Archive(io.BytesIO(ZOO.read_bytes()))
        wanted = (archive.weights_digest(), archive.check(), archive.read("model/byteorder"))
        failures = []

        def work():
            for _ in range(20):
                told = archive.weights_digest(), archive.check(), archive.read("model/byteorder")
                if told != wanted:
                    failures.append(told)
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Server(http.server.ThreadingHTTPServer):
    """Serves bytes under any path. mode: "ranges", "whole" (it ignores ranges), "none" (it says
    so), "cut" (half of what it said), "long", "hang" and "error", for GET; "lost" has no file."""

    daemon_threads = True

    def __init__(self, data):
        super().__init__(("127.0.0.1", 0), Handler)
        self.data, self.mode, self.tag = data, "ranges", '"1"'
        self.requests, self.sent = 0, 0
        self.ended = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/model.pt2"

    def handle_error(self, *_):
        pass  # who asked has gone away

    def __exit__(self, *_):
        self.ended.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def head(self, status, size, **more):
        self.send_response(status)
        self.send_header("Content-Length", str(size))
        self.send_header("ETag", self.server.tag)
        if self.server.mode == "none":
            self.send_header("Accept-Ranges", "none")
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def do_HEAD(self):
        self.head(404 if self.server.mode == "lost" else 200, len(self.server.data))

    def do_GET(self):
        server, data, status, more = self.server, self.server.data, 200, {}
        server.requests += 1
        if server.mode == "hang":
            server.ended.wait()
            return
        asked = re.match(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if asked and server.mode not in ("whole", "none"):
            start, end = int(asked[1]), int(asked[2]) + 1
            status, more = 206, {"Content_Range": f"bytes {start}-{end - 1}/{len(data)}"}
            data = data[start:end + (server.mode == "long")]
        status = {"error": 500, "lost": 404}.get(server.mode, status)
        self.head(status, len(data), **more)
        if server.mode == "cut":
            data = data[:len(data) // 2]
            self.close_connection = True
        with contextlib.suppress(OSError):
            self.wfile.write(data)
            server.sent += len(data)


@unittest.skipUnless(HAS_HTTP, "no fsspec and aiohttp")
class Http(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.data = large(pathlib.Path(folder), 3, 2, 80).read_bytes()

    def opened(self, server, seconds=20):
        import aiohttp
        return fsspec.open(server.url, skip_instance_cache=True,
                           client_kwargs={"timeout": aiohttp.ClientTimeout(total=seconds)})

    def test_program(self):
        wanted = epref.load(self.data)
        with Server(self.data) as server:
            for source in (server.url, self.opened(server), self.opened(server).open()):
                server.requests = server.sent = 0
                self.assertEqual(epref.load(source), wanted)
                self.assertLessEqual(server.requests, 6)
                self.assertLessEqual(server.sent, 2 * TAIL)
            server.requests = 0
            self.assertEqual(epref.check(server.url), [])
            self.assertLessEqual(server.requests, 8)
            with epref.Archive(server.url) as archive:
                self.assertEqual(pickle.loads(pickle.dumps(archive)).digest(), archive.digest())
                self.assertEqual(archive.audit(), epref.Archive(self.data).audit())
                self.assertIn(server.url, repr(archive))
            server.data = PROGRAM.read_bytes()
            self.assertEqual(epref.load(server.url), epref.load(PROGRAM))
            server.data = PROGRAM.read_bytes() + b" " * MIB
            for server.mode in ("ranges", "whole", "none"):
                self.assertEqual(epref.load(self.opened(server)), epref.load(PROGRAM))
            server.mode = "ranges"
            server.data = b"PK\3\4 and no more"
            with self.assertRaises(epref.Error) as caught:
                epref.load(server.url)
            self.assertTrue(str(caught.exception).startswith(server.url))

    def test_faults(self):
        with Server(self.data) as server:
            for server.mode, error in (
                    ("whole", epref.NoRangesError), ("none", epref.NoRangesError),
                    ("cut", epref.RemoteError), ("long", epref.NoRangesError),
                    ("error", epref.RemoteError), ("lost", FileNotFoundError)):
                server.sent = 0
                with self.assertRaises(error) as caught:
                    epref.load(self.opened(server))
                self.assertIn(server.url, str(caught.exception))
                self.assertIsNotNone(caught.exception.__cause__ or server.mode in ("none", "long"))
            for server.mode in ("whole", "cut", "long", "error", "lost", "hang"):
                mode, server.mode = server.mode, "ranges"
                archive = epref.Archive(self.opened(server, 1))
                tensor = archive.tensors()["w1"]
                server.mode = mode
                for use in (tensor.tobytes, archive.check, archive.audit):
                    with self.assertRaises(OSError) as caught:
                        use()
                    self.assertIsInstance(caught.exception, epref.RemoteTimeoutError
                                          if mode == "hang" else epref.RemoteError)
            server.mode, server.data = "cut", PROGRAM.read_bytes()
            self.assertRaises(epref.RemoteError, lambda: epref.load(self.opened(server)))
            server.mode = "hang"
            begin = time.monotonic()
            self.assertRaises(TimeoutError, lambda: epref.load(self.opened(server, 1)))
            self.assertLess(time.monotonic() - begin, 15)

    def test_change(self):
        with Server(self.data) as server:
            for change in ({"tag": '"2"'}, {"data": self.data[:-1]}):
                archive = epref.Archive(self.opened(server))
                self.assertEqual(archive.check(), [])
                for name, value in change.items():
                    setattr(server, name, value)
                for use in (archive.check, archive.digest, archive.weights_digest, archive.audit):
                    self.assertRaises(epref.ChangedError, use)


@unittest.skipUnless(HAS_FSSPEC, "no fsspec")
class Systems(unittest.TestCase):
    def test_memory(self):
        fs = fsspec.filesystem("memory")
        for path, name in ((ZOO, "/zoo.pt2"), (PROGRAM, "/program.json")):
            fs.pipe_file(name, path.read_bytes())
            self.assertEqual(epref.load(f"memory:/{name}"), epref.load(path))
            self.assertEqual(epref.check(fsspec.open(f"memory:/{name}")), epref.check(path))
            self.assertEqual(epref.load(fs.open(name)), epref.load(path))
        archive = epref.Archive("memory://zoo.pt2")
        self.assertEqual(archive.digest(), epref.Archive(ZOO).digest())
        fs.pipe_file("/zoo.pt2", LINEAR.read_bytes())
        self.assertRaises(epref.ChangedError, archive.check)
        self.assertRaises(FileNotFoundError, epref.load, "memory://none.pt2")
        self.assertRaises(ValueError, epref.load, "nosuchscheme://none.pt2")
        self.assertEqual(epref.check_many(["memory://none.pt2"]).__iter__().__next__()
                         .diagnostics[0].code, "EP_INPUT")

    def test_local(self):
        with tempfile.TemporaryDirectory() as folder:
            self.addCleanup(os.chdir, os.getcwd())
            os.chdir(folder)
            os.mkdir("ab:")
            pathlib.Path("ab:/model.pt2").write_bytes(LINEAR.read_bytes())
            self.assertEqual(epref.load("ab://model.pt2"), epref.load(LINEAR))  # a path that is
            with fsspec.open("p.json.gz", "wb", compression="gzip") as file:
                file.write(PROGRAM.read_bytes())
            self.assertEqual(epref.load(fsspec.open("p.json.gz", compression="infer")),
                             epref.load(PROGRAM))
            for scheme in ("file", "simplecache::file"):
                self.assertEqual(epref.load(f"{scheme}://{LINEAR.absolute()}"), epref.load(LINEAR))


class Without(unittest.TestCase):
    def test_message(self):
        kept = sys.modules.get("fsspec.core")
        sys.modules["fsspec.core"] = None
        try:
            with self.assertRaises(ImportError) as caught:
                epref.load("s3://bucket/model.pt2")
        finally:
            if kept is None:
                del sys.modules["fsspec.core"]
            else:
                sys.modules["fsspec.core"] = kept
        self.assertIn("pip install 'epref[remote]'", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
