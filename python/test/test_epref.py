"""Tests of the Python package, run by ../test/package in a clean environment.

    python test_epref.py GOLDEN      the folder of golden programs
"""

import base64
import ctypes
import gc
import io
import json
import mmap
import os
import pathlib
import pickle
import random
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile

import epref

try:
    import numpy
except ImportError:
    numpy = None
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

GOLDEN = pathlib.Path(sys.argv.pop(1))
NEWEST = GOLDEN / "2.13.0"
DYNAMIC = NEWEST / "dynamic_batch"
LINEAR = NEWEST / "linear/model.pt2"


def golden(pattern):
    found = sorted(GOLDEN.glob(pattern))
    assert found, pattern
    return found


def members_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def archive_of(members, deflate=False):
    """deflate: what is neither JSON nor pickled."""
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name)
            if deflate and not name.endswith((".json", ".pt")):
                info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return into.getvalue()


class Case(unittest.TestCase):
    def refused(self, code, call):
        with self.assertRaises(epref.Error) as caught:
            call()
        self.assertEqual(caught.exception.code, code)
        self.assertIsInstance(caught.exception,
                              epref.OutOfMemoryError if code == "EP_MEMORY" else epref.Error)
        return caught.exception


class Loading(Case):
    def test_every_way(self):
        path = DYNAMIC / "model.pt2"
        data = path.read_bytes()
        wanted = epref.load(path)
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as map_:
            for source in (str(path), data, bytearray(data), memoryview(data), map_, file,
                           io.BytesIO(data), DYNAMIC / "program.json"):
                self.assertEqual(epref.load(source), wanted, type(source))
        self.assertRaises(TypeError, lambda: epref.load(io.StringIO("{}")))
        self.assertRaises(TypeError, epref.load, 7)
        self.assertRaises(FileNotFoundError, epref.load, GOLDEN / "none")

    def test_refusal(self):
        text = (DYNAMIC / "program.json").read_bytes()
        with self.assertRaises(epref.Error) as caught:
            epref.load(text.replace(b'"as_int": 3}', b'"as_int": 3.0}'))
        error = caught.exception
        self.assertEqual(pickle.loads(pickle.dumps(error)).diagnostic, error.diagnostic)
        self.assertEqual(epref.load(text.replace(b'{"name": "add"}}, "kind"',
                                                 b'{"name": "sub"}}, "kind"'), check=False)
                         .nodes[1].inputs[0].value_name, "sub")

    def test_limits(self):
        text = (DYNAMIC / "program.json").read_bytes()
        with self.assertRaises(MemoryError) as caught:
            epref.load(text, limits=epref.Limits(memory=1000))
        self.assertIsInstance(caught.exception, epref.OutOfMemoryError)
        self.assertRaises(ValueError, lambda: epref.load(text, limits=epref.Limits(depth=-1)))
        self.assertRaises(ValueError, epref.load, text, schema="99.9")


class Programs(Case):
    def test_parts_of_golden(self):
        """Whatever a program says can be read and shown."""
        for path in golden("*/*/program.json")[::23]:
            try:
                program = epref.load(path, check=False)
            except epref.Error:
                continue
            plain = program.value.plain()
            self.assertEqual(len(program.nodes), len(plain["graph_module"]["graph"]["nodes"]))
            for shown in (str(program), repr(program), program._repr_html_()):
                self.assertIn(program.schema_version, shown)
            for graph in (program.graph, *program.graph.subgraphs()):
                for node in graph.nodes:
                    self.assertEqual(node.value.plain()["target"], node.target)
                    self.assertIsInstance(repr(node), str)
                    self.assertIsInstance(node.metadata, dict)
                for tensor in graph.tensors:
                    self.assertEqual(graph.tensors.get(tensor.name), tensor)
                    self.assertIsInstance(str(tensor), str)
            self.assertEqual(sum(program.stats().operators.values()), program.stats().nodes)

    def test_sequences(self):
        nodes = epref.load(DYNAMIC / "program.json").nodes
        self.assertEqual(len(nodes), 2)
        self.assertEqual(nodes[-1], nodes[1])
        self.assertNotEqual(nodes[0], nodes[1])
        self.assertEqual(nodes[:], list(nodes))
        self.assertEqual(nodes[0]["other"].value_name, "y")
        for wrong in (2, -3):
            self.assertRaises(IndexError, lambda: nodes[wrong])
        self.assertRaises(KeyError, lambda: nodes[0]["none"])

    def test_identity(self):
        one = epref.load(GOLDEN / "2.4.1/decomp_cond/model.pt2")
        two = epref.load(GOLDEN / "2.15.0/decomp_cond/model.pt2")
        self.assertEqual(one, two)
        self.assertFalse(one.diff(two))
        self.assertEqual(pickle.loads(pickle.dumps(one)), two)
        other = epref.load(DYNAMIC / "program.json")
        self.assertNotEqual(one, other)
        self.assertNotEqual(one, "text")
        found = one.diff(other, limit=1)
        self.assertEqual(len(found), 1)
        self.assertGreater(found.total, 1)
        self.assertIn("more", str(found))

    def test_migration(self):
        program = epref.load(GOLDEN / "2.3.1/dynamic_batch/program.json")
        newer = program.migrate("torch-2.13")
        del program
        self.assertEqual(newer, epref.load(GOLDEN / "2.3.1/dynamic_batch/program.json"))
        self.assertEqual(epref.load(newer.encode()).encode(), newer.encode())
        for wrong in (lambda: newer.migrate("torch-0.1"), lambda: newer.canon(form="other")):
            self.assertRaises(ValueError, wrong)

    def test_values(self):
        root = epref.load(DYNAMIC / "program.json").value
        self.assertEqual((root.kind, root.type, bool(root)), ("struct", "ExportedProgram", True))
        self.assertIn("graph_module", root.keys())
        self.assertEqual(len(root), len(root.keys()))
        graph = root["graph_module"]["graph"]
        self.assertEqual(graph, root["graph_module"]["graph"])
        self.assertEqual([each["target"].plain() for each in graph["nodes"]],
                         ["torch.ops.aten.add.Tensor", "torch.ops.aten.relu.default"])
        self.assertEqual(graph["nodes"][0]["metadata"]["torch_fn"].plain(),
                         "add_1;method_descriptor.add")
        for wrong, which in ((KeyError, "none"), (TypeError, 0)):
            self.assertRaises(wrong, lambda: root[which])
        self.assertRaises(TypeError, lambda: root["torch_version"]["x"])

    def test_values_outlive_all(self):
        node = epref.load(DYNAMIC / "model.pt2").nodes[0]
        gc.collect()
        self.assertEqual(node.metadata["torch_fn"], "add_1;method_descriptor.add")
        self.assertEqual(node.value["name"].plain(), "add")


class Names(Case):
    def test_tensors(self):
        program = epref.load(DYNAMIC / "program.json")
        self.assertEqual(program.tensors["x"], program.tensors.get("x"))
        self.assertIn("x", program.tensors)
        self.assertIn(program.tensors[0], program.tensors)
        self.assertNotIn("none", program.tensors)
        self.assertEqual(program.tensors["add"], program.tensors[1:][program.tensors[1:].index(
            program.tensors["add"])])
        self.assertRaises(KeyError, lambda: program.tensors["none"])

    def test_graph(self):
        graph = epref.load(DYNAMIC / "program.json").graph
        self.assertEqual(graph["add"], graph.nodes[0])
        self.assertEqual(graph["x"], graph.tensors["x"])
        self.assertEqual(list(graph), list(graph.nodes))
        self.assertTrue("relu" in graph and "y" in graph and "none" not in graph)
        self.assertRaises(KeyError, lambda: graph["none"])
        self.assertEqual(graph["add"].users, [graph["relu"]])
        self.assertEqual(graph["relu"].users, [])

    def test_users(self):
        """In every program: who has the name of a value in its inputs, outside of subgraphs."""
        inputs = json.JSONEncoder().encode
        used = 0
        for path in golden("2.13.0/*/program.json")[::2]:
            plain = json.loads(path.read_bytes())["graph_module"]["graph"]["nodes"]
            try:
                graph = epref.load(path, check=False).graph
            except epref.Error:
                continue
            for i, node in enumerate(graph.nodes):
                names = [name for output in node.outputs for name in output.names]
                wanted = [j for j, other in enumerate(plain) if any(
                    f'"name": "{name}"}}' in text or f'"name": "{name}", "class' in text or
                    f'"as_name": "{name}"' in text for name in names for text in (
                        inputs(each["arg"]) for each in other["inputs"]
                        if "as_graph" not in each["arg"]))]
                self.assertEqual([graph.nodes[j] for j in wanted], node.users, (path, i))
                used += len(wanted)
        self.assertGreater(used, 300)

    def test_versions(self):
        program = epref.load(DYNAMIC / "program.json")
        for name, wanted in (("2.13", "8.20"), ("8.20", "8.20"), ("torch-2.11", "8.17"),
                             ("2.11.0", "8.17"), ("2.1", "2.1"), ("torch-2.1", "1")):
            self.assertEqual(epref.find_version(name).name, wanted)
        self.assertEqual(program.migrate("2.13").schema_version, "8.20")
        with tempfile.TemporaryDirectory() as folder:
            epref.Archive(LINEAR).migrate(os.path.join(folder, "a"), "2.12")
        for wrong in ("0.1", "torch-torch-2.13", "", "2.13\0"):
            self.assertRaises(ValueError, program.migrate, wrong)


class Archives(Case):
    def test_mapping(self):
        data = LINEAR.read_bytes()
        archive = epref.Archive(data)
        name = "model/archive_format"
        self.assertEqual(list(archive), [each.name for each in archive.members])
        self.assertEqual((len(archive), archive[name], archive.get("none")), (11, b"pt2", None))
        self.assertEqual(dict(archive), dict(members_of(data)))
        self.assertEqual(list(archive.keys()), list(archive))
        self.assertTrue(name in archive and "none" not in archive)
        self.assertRaises(KeyError, lambda: archive["none"])
        self.assertEqual(archive.diff(archive).total, 0)
        other = epref.Archive(NEWEST / "weights_zoo/model.pt2")
        self.assertEqual(archive.diff(other).total, archive.program().diff(other.program()).total)
        for shown in (archive._repr_html_(), other._repr_html_()):
            self.assertIn("weight", shown)
        damaged = epref.Archive(data.replace(b'"weight"', b'"<b>ght"'))
        self.assertIn("EP_", damaged._repr_html_())
        self.assertNotIn("<b>ght", damaged._repr_html_())

    def test_close(self):
        for source in (LINEAR, LINEAR.read_bytes(), io.BytesIO(LINEAR.read_bytes())):
            with epref.Archive(source) as archive:
                program, tensor = archive.program(), archive.tensors()["weight"]
                held = len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0
            archive.close()
            self.assertTrue(archive.is_closed)
            if source is LINEAR and held:
                self.assertEqual(len(os.listdir("/proc/self/fd")), held - 1)
            for use in (archive.check, archive.program, tensor.tobytes, archive.digest, len,
                        lambda: archive["x"], archive.__enter__, archive.audit):
                self.assertRaises(ValueError, *((use, archive) if use is len else (use,)))
            if numpy:
                self.assertRaises(ValueError, tensor.numpy)
            self.assertIn("closed", repr(archive))
            self.assertIn("closed", archive._repr_html_())
            self.assertEqual(program, epref.load(LINEAR))

    def test_pickle(self):
        for source in (LINEAR, str(LINEAR), LINEAR.read_bytes(), bytearray(LINEAR.read_bytes())):
            archive = epref.Archive(source, model="model", limits=epref.Limits(depth=100))
            again = pickle.loads(pickle.dumps(archive))
            self.assertEqual(again, archive)
            self.assertEqual(again.models, ["model"])
        for source in (io.BytesIO(LINEAR.read_bytes()), open(LINEAR, "rb")):
            self.assertRaises(TypeError, pickle.dumps, epref.Archive(source))
            source.close()

    def test_path_in_messages(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bro\u202eken.json"
            shown = str(path).replace("\u202e", "\\u202e")
            text = (DYNAMIC / "program.json").read_bytes()
            for data in (b"{", text.replace(b'"as_int": 3}', b'"as_int": 3.0}'), b"PK\3\4 and no more",
                         LINEAR.read_bytes().replace(b"aten.linear", b"aten.lineaa")):
                path.write_bytes(data)
                for use in (epref.load, lambda path: epref.Archive(path).check()):
                    with self.assertRaises(epref.Error) as caught:
                        use(path)
                    self.assertTrue(str(caught.exception).startswith(shown), str(caught.exception))
                    self.assertEqual(caught.exception.path, str(path))
                    again = pickle.loads(pickle.dumps(caught.exception))
                    self.assertEqual(str(again), str(caught.exception))
            with self.assertRaises(IsADirectoryError) as refused:
                epref.load(folder)
            self.assertIn(folder, str(refused.exception))

    def test_pack_of_everything(self):
        """What can be packed: programs, paths, files; tensors, arrays, files, folders."""
        archive = epref.Archive(NEWEST / "weights_zoo/model.pt2")
        program = archive.program()
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            to, weights = folder / "to.pt2", folder / "w.safetensors"
            archive.extract(weights)
            (folder / "p.json").write_bytes(program.encode())
            choices = [archive.tensors(), weights, str(weights)]
            if numpy and ml_dtypes:
                choices += [archive.arrays(), {
                    name: each.astype(each.dtype.newbyteorder(">")) if each.dtype == "float64"
                    else each for name, each in archive.arrays().items()}]
            for tensors in choices:
                for source in (program, folder / "p.json", archive._source.name,
                               io.BytesIO(program.encode()), program.encode()):
                    epref.pack(to, source, tensors=tensors)
                    again = epref.Archive(to)
                    self.assertEqual(again.weights_digest(), archive.weights_digest())
                    self.assertEqual(again.program(), program)
            epref.pack(to, epref.load(DYNAMIC / "program.json"))
            self.assertEqual(epref.check(to), [])
            self.refused("EP_ARGUMENT", lambda: epref.pack(to, program, tensors={}))
            (folder / "all").mkdir()
            weights.rename(folder / "all/w.safetensors")
            for source in (program, folder / "p.json"):
                epref.pack(to, source, tensors=folder / "all")
                self.assertEqual(epref.Archive(to).weights_digest(), archive.weights_digest())

    def test_members(self):
        path = LINEAR
        for source in (path, path.read_bytes()):
            archive = epref.Archive(source)
            text = archive.read("model/models/model.json")
            self.assertEqual(text, (NEWEST / "linear/program.json").read_bytes())
            self.assertEqual(archive.program().encode(), text)
            self.assertEqual([each.name for each in archive.members if each.is_program],
                             ["model/models/model.json"])
            self.assertRaises(KeyError, archive.read, "none")
            self.assertRaises(KeyError, archive.program, "none")
            self.assertEqual(archive.check(), [])

    def test_damage(self):
        data = bytearray(LINEAR.read_bytes())
        data[64] ^= 1
        with self.assertRaises(epref.Error) as caught:
            epref.Archive(bytes(data)).check()
        self.assertEqual(caught.exception.code, "EP_ARCHIVE_MEMBER")
        self.assertIn("model/data/weights/weight_0", str(caught.exception))
        self.assertEqual(epref.check(data), [caught.exception.diagnostic])
        self.assertEqual(epref.check(data, data=False), [])
        self.assertRaises(epref.Error, epref.load, data[:2000])

    def test_tensors(self):
        archive = epref.Archive(NEWEST / "weights_zoo/model.pt2")
        tensors = archive.tensors()
        self.assertEqual(tensors["const"].role, "constant")
        self.assertEqual(tensors["empty"].shape, (0, 4))
        self.assertEqual(tensors["empty"].tobytes(), b"")
        self.assertEqual(len(tensors["noncontig"].tobytes()), 24)
        self.assertEqual([each.name for each in archive.stored() if each.role == "sample_input"],
                         ["0"])
        self.assertIsInstance(repr(tensors["f32"]), str)

    @unittest.skipIf(numpy is None, "no numpy")
    def test_numpy(self):
        """Views and copies are what the library reads."""
        shared = 0
        for path in golden("*/weights*/model.pt2") + golden("*/linear/model.pt2"):
            for source in (path, path.read_bytes()):
                for each in epref.Archive(source).stored():
                    if each.form != "strided" or each.fault:
                        continue
                    array = each.numpy(bits=True)
                    self.assertEqual(array.tobytes(), each.tobytes(), (path, each))
                    self.assertEqual(array.shape, each.shape)
                    shared += each.is_shared
        self.assertGreater(shared, 50)

    @unittest.skipIf(numpy is None, "no numpy")
    def test_numpy_view(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.pt2"
            data = LINEAR.read_bytes()
            path.write_bytes(data)
            weight = epref.Archive(path).arrays()["weight"]
            gc.collect()
            self.assertFalse(weight.flags.owndata)
            weight[:] = 7
            self.assertEqual(float(weight.sum()), 42.0)
            self.assertEqual(path.read_bytes(), data)
        zoo = epref.Archive(NEWEST / "weights_zoo/model.pt2")
        if ml_dtypes:
            self.assertEqual(zoo.arrays()["bf16"].dtype, ml_dtypes.bfloat16)
            self.assertEqual(zoo.arrays().skipped, {})
        else:
            self.assertRaises(TypeError, lambda: zoo.tensors()["bf16"].numpy())
            self.assertRaises(TypeError, lambda: zoo.arrays(skip=False))
            self.assertIn("bf16", zoo.arrays().skipped)
            self.assertNotIn("bf16", zoo.arrays())
        self.assertEqual(zoo.tensors()["bf16"].numpy(bits=True).dtype, numpy.uint16)
        self.assertEqual(numpy.asarray(zoo.tensors()["f64"]).dtype, numpy.float64)
        self.assertNotEqual(zoo.arrays(bits=True)["noncontig"].strides, (12, 4))

    def test_one_program(self):
        data = LINEAR.read_bytes()
        self.assertEqual(epref.Archive(data, one_program=True).models, ["model"])
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            given = members_of(data)
            (folder / "two.pt2").write_bytes(archive_of(given + [
                ("/other".join(name.rsplit("/model", 1)), data) for name, data in given
                if name.rpartition("/")[2].startswith("model")]))
            two = epref.Archive(folder / "two.pt2")
            self.assertEqual(sorted(two.models), ["model", "other"])
            self.assertEqual(epref.Archive(folder / "two.pt2", model="other", one_program=True)
                             .models, ["other"])
            self.refused("EP_ARCHIVE_PROGRAM", lambda: epref.Archive(folder / "two.pt2", one_program=True))
            to = folder / "newer.pt2"
            for call in (lambda: two.migrate(to), lambda: two.extract(to), two.program, two.arrays,
                         lambda: two.extract(to, tensor="bias"), two.tensors, two.weights_digest,
                         lambda: epref.load(folder / "two.pt2")):
                self.assertIn("'model', 'other'", self.refused("EP_ARCHIVE_PROGRAM", call).detail)
            self.assertFalse(to.exists())
            self.assertEqual(two.program("other"), epref.load(data))
            self.assertEqual([each.model for each in two.stored() if each.name == "bias"],
                             ["model", "other"])
            self.assertEqual(two.check(), [])
            self.assertEqual([each.member for each in two.audit()], [
                f"model/data/sample_inputs/{name}.pt" for name in two.models])

    def test_compiled_models(self):
        """A package of them is an archive without a program; beside programs they are listed."""
        metadata = {"AOTI_DEVICE_KEY": "cpu", "AOTI_CPU_ISA": "AVX2", "own": "\u202e"}
        model = {"data/aotinductor/m/x.wrapper.so": b"\x7fELF",
                 "data/aotinductor/m/x.wrapper_metadata.json": json.dumps(metadata).encode(),
                 "data/aotinductor/m/weights_config.json": b'{"w": ["weight_0", [4, 3], [3, 1], 2]}',
                 "data/aotinductor/m/custom_objs_config.json": b'{"o": "custom_obj_0"}'}
        marks = {"archive_format": b"pt2", "archive_version": b"0", ".data/version": b"3",
                 "byteorder": b"little"}

        def made(members, folder):
            return archive_of([(folder + name, data) for name, data in members.items()])
        package = made({**marks, **model}, "a/")
        older = made({"version": b"0", "archive_format": b"pt2", "data/aotinductor/x.so": b""}, "")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for data in (package, older):
                (folder / "a.pt2").write_bytes(data)
                note, = epref.check(folder / "a.pt2")
                self.assertEqual(str(note).partition(" [")[0], "note: a package of compiled models "
                                 "of AOTInductor, without a program: it is whole")
                checked, = epref.check_many([folder / "a.pt2"])
                self.assertEqual((checked.is_valid, checked.diagnostics), (None, [note]))
                archive = epref.Archive(data)
                self.assertEqual((archive.models, archive.stored(), archive.check()), ([], [], [note]))
                self.assertIn("AUDIT_NATIVE", {each.id for each in archive.audit()})
                to = folder / "to"
                for call in (lambda: epref.load(data), archive.program, archive.tensors,
                             archive.arrays, archive.weights_digest, lambda: archive.extract(to),
                             lambda: archive.migrate(to), lambda: epref.pack(to, data, tensors=to),
                             lambda: epref.Archive(data, one_program=True)):
                    self.assertEqual(self.refused("EP_ARCHIVE_PROGRAM", call).detail,
                                     "it is one of AOTInductor, with compiled models alone")
                self.assertFalse(to.exists())
        self.assertEqual([each.name for each in epref.Archive(older).compiled], [""])
        mixed = made({**dict(members_of(LINEAR.read_bytes())),
                      **{f"model/{name}": data for name, data in model.items()}}, "")
        self.assertEqual(epref.load(mixed), epref.load(LINEAR))
        for data, models in ((package, []), (mixed, ["model"])):
            archive = epref.Archive(data)
            found, = archive.compiled
            self.assertEqual((archive.models, found.name, found.members), (models, "m", 4))
            self.assertEqual((found.metadata, found.device, found.isa), (metadata, "cpu", "AVX2"))
            self.assertEqual(found.constants, [
                epref.CompiledConstant("w", "weight_0", (4, 3), (3, 1), 2)])
            self.assertEqual((found.objects, found.fault), ({"o": "custom_obj_0"}, ""))
            self.assertEqual(str(found), "m, compiled for cpu AVX2")
        model["data/aotinductor/m/x.wrapper_metadata.json"] = b"[" * 100_000
        broken = epref.Archive(made({**marks, **model}, "a/")).compiled[0]
        self.assertEqual((broken.metadata, broken.fault),
                         ({}, "its metadata is no JSON of strings"))
        self.refused("EP_ARCHIVE_PART", lambda: epref.Archive(made(model, "a/")).check())

    def test_files(self):
        source = NEWEST / "weights_zoo/model.pt2"
        archive = epref.Archive(source)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            archive.extract(folder / "f32.bin", tensor="f32", form="raw")
            self.assertEqual((folder / "f32.bin").read_bytes(), archive.tensors()["f32"].tobytes())
            archive.extract(folder / "f64.npy", tensor="f64", form="npy")
            self.assertTrue((folder / "f64.npy").read_bytes().startswith(b"\x93NUMPY"))
            kept = folder / "kept"
            kept.write_bytes(b"before")
            for wrong, error in (({"form": "npy"}, ValueError), ({"form": "zip"}, ValueError),
                                 ({"tensor": "none"}, KeyError),
                                 ({"tensor": "bf16", "form": "npy"}, epref.Error)):
                self.assertRaises(error, archive.extract, kept, **wrong)
            with self.assertRaises(epref.Error) as caught:
                epref.pack(kept, source, tensors=folder / "f64.npy")
            self.assertEqual(caught.exception.code, "EP_ARGUMENT")
            self.assertEqual(kept.read_bytes(), b"before")
            archive.extract(kept)
            again = folder / "again.pt2"
            epref.pack(again, source, tensors=kept)
            self.assertEqual(epref.check(again), [])
            self.assertEqual(epref.Archive(again).members[0].name.partition("/")[0], "again")
            self.assertEqual(sorted(each.name for each in folder.iterdir()),
                             ["again.pt2", "f32.bin", "f64.npy", "kept"])
            self.assertRaises(OSError, archive.extract, folder / "none/x.safetensors")
            if os.path.exists("/dev/full"):
                self.assertRaises(OSError, archive.extract, "/dev/full")

    def test_tensors_inside_of_programs(self):
        """What version 1 keeps in the program counts in forms and differences."""
        one = epref.load(GOLDEN / "2.1.2/tensor_constant/program.json")
        form = epref.load(one.canon())
        self.assertEqual(form.digest(), one.digest())
        self.assertFalse(one.diff(form))
        self.assertTrue(one.diff(epref.load(DYNAMIC / "program.json")))
        self.assertEqual(form, one)
        text = one.encode()
        (packed,) = one._constants().values()
        made = [archive_of([(name, bytes([data[0] ^ bit]) + data[1:] if name.endswith("data/0")
                             else data) for name, data in members_of(base64.b64decode(packed))])
                for bit in (0, 1)]
        same, other = (epref.load(text.replace(packed.encode(), base64.b64encode(each)))
                       for each in made)
        self.assertEqual(same, one)
        self.assertNotEqual(other, one)
        self.assertEqual(hash(other), hash(one))

    def test_command(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            source = LINEAR
            for given in (source, source.read_bytes()):
                epref.Archive(given).extract(folder / "w.safetensors")
                epref.pack(folder / "again.pt2", source, tensors=folder / "w.safetensors")
                self.assertEqual(epref.Archive(folder / "again.pt2").weights_digest(),
                                 epref.Archive(given).weights_digest())
            epref.Archive(source).extract_all(folder / "parts")
            epref.pack(folder / "same.pt2", folder / "parts")
            self.assertEqual((folder / "same.pt2").read_bytes(), source.read_bytes())
            with self.assertRaises(epref.CommandError) as caught:
                epref.pack(folder / "x.pt2", folder / "none")
            self.assertIn("none", str(caught.exception))

    def test_migrate_an_archive(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder) / "made.pt2"
            for name in ("2.2.2/dynamic_batch", "2.13.0/linear"):
                steps = epref.Archive(GOLDEN / name / "model.pt2").migrate(made, to="torch-2.13")
                self.assertEqual(steps[-1].clause, "7.7.1")
                self.assertEqual(epref.load(made), epref.load(GOLDEN / name / "model.pt2"))
            made.write_bytes(b"before")
            archive = epref.Archive(DYNAMIC / "model.pt2")
            self.refused("EP_MIGRATE_FIELD", lambda: archive.migrate(made, to="torch-2.1"))
            self.assertRaises(ValueError, archive.migrate, made, to="torch-0.1")
            self.assertEqual(made.read_bytes(), b"before")
            self.assertEqual(os.listdir(folder), ["made.pt2"])

    def test_what_the_command_does(self):
        old, new = (GOLDEN / name / "linear/model.pt2" for name in ("2.8.0", "2.13.0"))
        self.assertEqual(epref.loads_in(old, "2.8"), ("2.8", True, None, None, None))
        said = epref.loads_in(new, "2.8")
        self.assertEqual((said.loads, said.clause), (False, "D-13, SPEC appendix C"))
        self.assertRaises(epref.CommandError, epref.loads_in, new, "0.1")
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder) / "made.pt2"
            with epref.Archive(new.read_bytes()) as archive:
                steps = archive.migrate(made, to="2.8", pickle=True, devices={"cpu": "cuda:0"})
                self.assertEqual(steps[0], ("7.1.1", "schema version", 1))
                self.assertRaises(epref.CommandError, archive.migrate, made, to="2.5",
                                  devices={"cpu": "cuda"})
            self.assertTrue(epref.loads_in(made, "2.8").loads)
            self.assertEqual(epref.load(made).tensors["p_weight"].device, "cuda:0")
            self.assertEqual(epref.check(made), [])
            self.assertEqual(epref.repair(new, made), ["nothing to repair"])
            broken = pathlib.Path(folder) / "broken.pt2"
            broken.write_bytes(new.read_bytes()[:-1])
            made.unlink()
            self.assertRaises(epref.CommandError, epref.repair, broken, made)
            self.assertRaises(epref.CommandError, epref.loads_in, broken, "2.8")
            self.assertEqual(os.listdir(folder), ["broken.pt2"])
        call = epref.load(GOLDEN / "2.13.0/varargs/program.json").call
        self.assertEqual([(each.name, each.keyword) for each in call.arguments],
                         [("first", False), ("rest_0", False), ("rest_1", False), ("w", True),
                          ("v", True)])
        self.assertEqual((call.class_, call.returns), (None, "mul_1"))

    def test_python_m(self):
        done = subprocess.run([sys.executable, "-m", "epref", "--version"], check=True,
                              stdout=subprocess.PIPE)
        self.assertIn(epref.__version__.encode(), done.stdout)


class Checking(unittest.TestCase):
    def test_many(self):
        paths = golden("2.13.0/*/model.pt2")[:40] + [GOLDEN / "none"]
        checks = epref.check_many(paths, jobs=3)
        self.assertEqual(len(checks), len(paths))
        found = {checked.path: checked for checked in checks}
        self.assertEqual(set(found), set(paths))
        self.assertEqual(found.pop(GOLDEN / "none").diagnostics[0].code, "EP_INPUT")
        for path, checked in found.items():
            self.assertEqual(checked.diagnostics, epref.check(path))
            self.assertTrue(checked.is_valid, checked)
        next(iter(epref.check_many(paths, jobs=2)))  # and no more of it
        self.assertRaises(ValueError, epref.check_many, [], jobs=0)

    def test_gil(self):
        """Another thread runs while a document is judged."""
        text = b"[" + b"1," * 3000000 + b"1]"
        state = {"count": 0}

        def work():
            state["begun"] = True
            epref.check_wire(text)
            state["done"] = True

        interval = sys.getswitchinterval()
        sys.setswitchinterval(10)  # nobody is made to let go of the GIL
        try:
            thread = threading.Thread(target=work)
            thread.start()
            while "done" not in state:
                state["count"] += "begun" in state
                time.sleep(0)
            thread.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertGreater(state["count"], 3)

    def test_tables(self):
        self.assertEqual(epref.find_version("torch-2.6").name, "8.2")
        self.assertIn("8.20", [each.name for each in epref.versions()])
        self.assertEqual({each.name: each.clause for each in epref.codes()}["EP_TYPE"], "3.4.1")


class Hostile(unittest.TestCase):
    """Files with a few bytes changed: all that can be asked of them is answered, or refused."""

    def changed(self, pattern, count):
        drawn = random.Random(5)
        files = [path.read_bytes() for path in golden(pattern)]
        for _ in range(count):
            data = bytearray(drawn.choice(files))
            for _ in range(drawn.randint(1, 4)):
                data[drawn.randrange(len(data))] = drawn.choice(b'019-"{}[]x,:\0\377')
            yield bytes(data)

    def test_programs(self):
        refused = 0
        for data in self.changed("*/dynamic_batch/program.json", 400):
            try:
                program = epref.load(data, check=False)
                str(program), program._repr_html_(), program.value.plain(), program.stats()
                program.audit(), program.encode(), program.digest(), program.migrate()
            except epref.Error:
                refused += 1
        self.assertGreater(refused, 100)

    def test_archives(self):
        refused = 0
        for data in self.changed("*/weights_zoo/model.pt2", 200):
            try:
                archive = epref.Archive(data)
                for each in archive.stored():
                    if numpy is not None and each.form == "strided" and not each.fault:
                        self.assertEqual(each.numpy(bits=True).tobytes(), each.tobytes())
                str(archive.program(check=False)), archive.check(), archive.weights_digest()
            except epref.Error:
                refused += 1
        self.assertGreater(refused, 50)


def with_bias(sizes, strides, more=0, deflate=False):
    """LINEAR with other sizes of the tensor `bias`, and with more tensors like it."""
    members = members_of(LINEAR.read_bytes())
    for i, (name, data) in enumerate(members):
        if name.endswith("_weights_config.json"):
            config = json.loads(data)
            bias = config["config"]["bias"]
            for key, numbers in (("sizes", sizes), ("strides", strides)):
                bias["tensor_meta"][key] = [{"as_int": number} for number in numbers]
            config["config"].update({f"bias{number}": bias for number in range(more)})
            members[i] = name, json.dumps(config).encode()
    return archive_of(members, deflate)


MIB = 1 << 20


class Promises(Case):
    """What the command promises (SECURITY.md): limits, permissions, products whole or not at all,
    and no foreign character that is not seen."""

    def test_bytes_of_results(self):
        """Elements that strides repeat, however many there are."""
        for sizes in ([64 * MIB], [1 << 40], [1 << 20, 1 << 20]):
            data = with_bias(sizes, [0] * len(sizes))
            archive = epref.Archive(data, limits=epref.Limits(bytes=MIB, memory=16 * MIB))
            bias = archive.tensors()["bias"]
            before = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                to = pathlib.Path(folder) / "to"
                calls = [bias.tobytes, lambda: archive.extract(to), archive.weights_digest,
                         lambda: archive.extract(to, tensor="bias", form="raw")]
                if numpy is not None:
                    calls += [lambda: bias.__array__(copy=True), lambda: bias.__array__("f8")]
                    self.assertEqual(archive.arrays()["bias"].shape, tuple(sizes))  # views
                for call in calls:
                    self.refused("EP_LIMIT_BYTES", call)
                self.assertEqual(os.listdir(folder), [])
            self.assertLess(time.monotonic() - before, 5)

    def test_memory_of_results(self):
        data = with_bias([MIB], [0])
        archive = epref.Archive(data, limits=epref.Limits(memory=MIB))
        self.refused("EP_MEMORY", archive.tensors()["bias"].tobytes)
        self.assertEqual(len(epref.Archive(data).tensors()["bias"].tobytes()), 4 * MIB)
        name = "model/extra/zeros"
        packed = archive_of([*members_of(LINEAR.read_bytes()), (name, bytes(8 * MIB))], True)
        for limits, code in ((epref.Limits(memory=MIB), "EP_MEMORY"),
                             (epref.Limits(bytes=MIB), "EP_LIMIT_BYTES")):
            self.refused(code, lambda: epref.Archive(packed, limits=limits).read(name))
        self.assertEqual(epref.Archive(packed).read(name), bytes(8 * MIB))
        program = epref.load(DYNAMIC / "program.json", limits=epref.Limits(memory=MIB))
        self.assertEqual(program.encode(), (DYNAMIC / "program.json").read_bytes())

    def test_all_together(self):
        """Deflated storages are copied: what counts is all of them."""
        if numpy is None:
            self.skipTest("no numpy")
        archive = epref.Archive(with_bias([3 * MIB // 16], [0], 9, deflate=True),
                                limits=epref.Limits(bytes=MIB))
        for each in archive.tensors().values():
            self.assertLess(len(each.tobytes()), MIB)
        self.refused("EP_LIMIT_BYTES", archive.arrays)

    def test_every_reader_takes_limits(self):
        path, archive = DYNAMIC / "program.json", LINEAR
        few = epref.Limits(bytes=100)
        with tempfile.TemporaryDirectory() as folder:
            to = pathlib.Path(folder) / "to"
            for source in (path, path.read_bytes(), io.BytesIO(path.read_bytes()), archive,
                           io.BytesIO(archive.read_bytes())):
                self.refused("EP_LIMIT_BYTES", lambda: epref.load(source, limits=few))
                if hasattr(source, "seek"):
                    source.seek(0)
                self.assertEqual([each.code for each in epref.check(source, limits=few)],
                                 ["EP_LIMIT_BYTES"])
            self.refused("EP_LIMIT_BYTES", lambda: epref.check_wire(path.read_bytes(), limits=few))
            self.assertEqual([each.diagnostics[0].code
                              for each in epref.check_many([path, archive], limits=few)],
                             ["EP_LIMIT_BYTES"] * 2)
            self.refused("EP_LIMIT_BYTES", lambda: epref.Archive(archive, limits=few))
            epref.Archive(archive).extract(to)
            self.refused("EP_LIMIT_BYTES",
                         lambda: epref.pack(to.with_suffix(".pt2"), path, tensors=to, limits=few))
            with self.assertRaises(epref.CommandError) as caught:
                epref.Archive(archive, limits=epref.Limits(memory=20_000)).extract_all(to / "all")
            self.assertEqual(caught.exception.status, 4)
            self.assertEqual(os.listdir(folder), ["to"])

    def test_stream_without_end(self):
        if not os.path.exists("/dev/zero"):
            self.skipTest("no /dev/zero")
        self.refused("EP_LIMIT_BYTES",
                     lambda: epref.load("/dev/zero", limits=epref.Limits(bytes=MIB)))

        class Endless(io.RawIOBase):
            def readinto(self, room):
                room[:] = bytes(len(room))
                return len(room)
        self.refused("EP_LIMIT_BYTES", lambda: epref.check_wire(Endless(), limits=epref.Limits(100)))

    def test_permissions(self):
        """As the command keeps them."""
        archive = epref.Archive(LINEAR)
        makers = (archive.extract, archive.migrate)
        mask = os.umask(0o27)
        try:
            for make in makers:
                with tempfile.TemporaryDirectory() as folder:
                    folder = pathlib.Path(folder)
                    new, old, link = folder / "new", folder / "old", folder / "link"
                    make(new)
                    self.assertEqual(stat.S_IMODE(new.stat().st_mode), 0o640)
                    for mode in (0o600, 0o444 | 0o200, 0o666, 0o660):
                        old.write_bytes(b"before")
                        old.chmod(mode)
                        make(old)
                        self.assertEqual(stat.S_IMODE(old.stat().st_mode), mode)
                        self.assertGreater(old.stat().st_size, 6)
                    old.chmod(0o600)
                    link.symlink_to("old")
                    make(link)
                    self.assertTrue(link.is_symlink())
                    self.assertEqual(stat.S_IMODE(old.stat().st_mode), 0o600)
                    (folder / "nowhere").symlink_to("none")
                    self.assertRaises(FileNotFoundError, make, folder / "nowhere")
                    self.assertEqual(sorted(os.listdir(folder)), ["link", "new", "nowhere", "old"])
                    self.held_back(make, old)
        finally:
            os.umask(mask)

    def held_back(self, make, old):
        """What the user may not write to is not replaced, and keeps its bytes."""
        old.write_bytes(b"before")
        old.chmod(0o400)
        if os.geteuid() != 0:
            self.assertRaises(PermissionError, make, old)
            self.assertEqual(old.read_bytes(), b"before")
        else:  # the owner stays
            os.chown(old, 12345, 12345)
            make(old)
            kept = old.stat()
            self.assertEqual((kept.st_uid, kept.st_gid, stat.S_IMODE(kept.st_mode)),
                             (12345, 12345, 0o400))

    def test_nobody_looks_in_meanwhile(self):
        """A draft is its owner's alone until it is whole."""
        from epref._source import written
        with tempfile.TemporaryDirectory() as folder:
            to = pathlib.Path(folder) / ("n" * 250)
            with self.assertRaises(RuntimeError), written(to) as descriptor:
                os.write(descriptor, b"half")
                self.assertEqual(stat.S_IMODE(os.fstat(descriptor).st_mode), 0o600)
                raise RuntimeError
            self.assertEqual(os.listdir(folder), [])
            with written(to) as descriptor:
                os.write(descriptor, b"whole")
            self.assertEqual(to.read_bytes(), b"whole")

    def test_characters_that_are_not_seen(self):
        text = (DYNAMIC / "program.json").read_text()
        hidden = "".join(map(chr, (0x1b, 0x7f, 0x9b, 0x61c, 0x200b, 0x202e, 0x2028, 0x2066, 0xfeff,
                                   0xe0041)))
        changed = text.replace('"add"', json.dumps("add" + hidden, ensure_ascii=False))
        self.assertNotEqual(changed, text)
        program = epref.load(changed.encode(), check=False)
        archive = epref.Archive(LINEAR)
        tensor = archive.stored()[0]
        tensor.name += hidden
        diagnostic = epref.Diagnostic("error", "EP_TYPE", "3.4.1", "a", hidden, "schema", 0, 1, 1,
                                      hidden, hidden)
        shown = [str(program), repr(program), program._repr_html_(), repr(tensor), str(diagnostic),
                 str(epref.Error(diagnostic)), str(program.diff(epref.load(text.encode()))),
                 *map(str, program.audit()),
                 str(epref.CompiledModel(f"m{hidden}", 1, 1, {"AOTI_DEVICE_KEY": hidden}, [], {}, ""))]
        for node in program.nodes:
            shown += [str(node), repr(node), *map(repr, node.inputs), *map(str, node.inputs)]
        shown += [part(each) for each in program.tensors for part in (str, repr)]
        for each in shown:
            self.assertFalse(set(each) & set(hidden), ascii(each))
        self.assertIn("add\\u001b\\u007f\\u009b\\u061c\\u200b\\u202e", str(program))


class Threads(unittest.TestCase):
    def test_shared(self):
        """Threads that share a program and an archive say what one alone does."""
        program = epref.load(NEWEST / "weights_zoo/program.json")
        archive = epref.Archive(NEWEST / "weights_zoo/model.pt2")
        wanted = (program.digest(), archive.weights_digest())
        failures = []

        def work():
            try:
                for _ in range(20):
                    told = epref.load(program.encode()).digest(), archive.weights_digest()
                    assert told == wanted and archive.check() == [] and not program.diff(program)
                    assert archive.program() == program and str(program)
                    assert [each.tobytes() for each in epref.Archive.stored(archive)]
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Closing(unittest.TestCase):
    def test_meanwhile(self):
        """Who reads an archive that another thread closes is done, or raises ValueError."""
        path = NEWEST / "weights_zoo/model.pt2"
        ends = set()
        for i in range(60):
            archive = epref.Archive((path, path.read_bytes(), io.BytesIO(path.read_bytes()))[i % 3])

            def work(archive=archive):
                try:
                    while True:
                        archive.check(), archive["model/byteorder"], archive.weights_digest()
                except Exception as error:
                    ends.add((type(error), str(error)))
            threads = [threading.Thread(target=work) for _ in range(3)]
            for thread in threads:
                thread.start()
            time.sleep(0.002)
            archive.close()
            for thread in threads:
                thread.join()
        self.assertEqual(ends, {(ValueError, "the archive is closed")})


def held():
    """Bytes that malloc has given out (glibc), and blocks that Python has."""
    gc.collect()
    libc = ctypes.CDLL(None)
    struct = type("mallinfo2", (ctypes.Structure,), {
        "_fields_": [(name, ctypes.c_size_t) for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
            "fordblks", "keepcost")]})
    libc.mallinfo2.restype = struct
    told = libc.mallinfo2()
    return told.uordblks + told.hblkhd, sys.getallocatedblocks()


def growth():
    """What is held more after forty rounds of everything, bytes and blocks: the least of four
    times, as what leaks does so each time, and Python's own tables grow now and then."""
    memory, told = Memory(), []
    for _ in range(5):
        before = held()
        for _ in range(40):
            memory.everything()
        told.append([now - then for now, then in zip(held(), before)])
    print(*map(min, zip(*told[1:])))


SUBCLASSES = pathlib.Path(__file__).resolve().parents[2] / "corpora/subclasses"


class Comparing(unittest.TestCase):
    def test_inner(self):
        archive = epref.Archive(SUBCLASSES / "int8_and_biases.pt2")
        found = archive.tensors()
        self.assertEqual(found["a.weight"].form, "object")
        self.assertEqual(found["a.weight.qdata"].dtype, "int8")
        self.assertEqual(len(found["a.weight.qdata"].tobytes()), found["a.weight.qdata"].nbytes)
        self.assertIs(found["a.weight.qdata"].inside, found["a.weight"])
        self.assertIsNone(found["a.weight"].inside)
        if numpy:
            self.assertEqual(set(archive.arrays()), set(found) - {"a.weight", "b.weight"})
        self.assertEqual(archive.weights_digest()[:4], "ew1:")
        self.assertEqual({archive: 1}[epref.Archive(SUBCLASSES / "int8_and_biases.pt2")], 1)


class Memory(unittest.TestCase):
    def everything(self):
        program = epref.load(DYNAMIC / "model.pt2")
        str(program), program._repr_html_(), program.value.plain(), program.audit()
        newer = epref.load(GOLDEN / "2.2.2/dynamic_batch/model.pt2").migrate()
        program.diff(newer), program.digest(), newer.encode(), program.stats(), program.canon()
        archive = epref.Archive(NEWEST / "weights_zoo/model.pt2")
        archive.check(), archive.weights_digest(), [each.tobytes() for each in archive.stored()]
        with epref.Archive(io.BytesIO(LINEAR.read_bytes())) as ranged:
            ranged.check(), ranged._source.ranges._file.close()
            for use in (ranged.check, ranged.audit, ranged.stored):
                try:
                    use()
                except ValueError:
                    pass
        for wrong in (b"{", program.encode().replace(b'"x"', b'"q"'), b"PK\3\4 and no more"):
            epref.check(wrong)
        try:
            program.migrate("torch-2.1")
        except epref.Error:
            pass

    @unittest.skipUnless(hasattr(ctypes.CDLL(None), "mallinfo2"), "no mallinfo2")
    def test_no_leak(self):
        """Forty rounds of everything hold no more than none, in a process whose malloc keeps
        nothing back."""
        done = subprocess.run([sys.executable, __file__, GOLDEN, "--growth"], check=True,
                              stdout=subprocess.PIPE, env={
                                  **os.environ, "GLIBC_TUNABLES":
                                  "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0"})
        size, blocks = map(int, done.stdout.split())
        self.assertLess(size, 1000)
        self.assertLess(blocks, 40)

    def test_every_allocation(self):
        """Each allocation of Python's fails once; what calls it raises MemoryError, or does
        without."""
        try:
            import _testcapi
        except ImportError:
            self.skipTest("no _testcapi")
        text = (DYNAMIC / "program.json").read_bytes()
        program = epref.load(text)
        archive = epref.Archive(LINEAR)
        from epref import _epref
        from epref._ranges import Ranges
        options = (None, False, 0, 0, 0, 0, 0)
        nothing = os.open(os.devnull, os.O_WRONLY)
        self.addCleanup(os.close, nothing)
        handle, stored = program._handle, archive._opened
        graph = program.graph._graph
        root = _epref.program_root(handle, False)
        ranges = Ranges(io.BytesIO(LINEAR.read_bytes()), "")
        calls = [
            (_epref.decode, text, options), (_epref.decode, b"{", options),
            (_epref.decode_archived, stored, 0, options), (_epref.check_wire, b"{}", options),
            (_epref.program_check, handle, 4), (_epref.program_encode, handle),
            (_epref.program_canon, handle, 0, ()), (_epref.program_canon, handle, 1, (b"a", b"b")),
            (_epref.program_digest, handle), (_epref.program_migrate, handle, "torch-2.12"),
            (_epref.program_migrate, handle, "torch-2.1"), (_epref.program_version, handle),
            (_epref.program_root, handle, True), (_epref.program_audit, handle),
            (_epref.program_diff, handle, epref.load(
                text.replace(b"aten.relu", b"aten.tanh"))._handle, 20, True),
            (_epref.program_signature, handle), (_epref.value_plain, root),
            (_epref.value_parts, root), (_epref.value_kind, root), (_epref.value_place, root),
            (_epref.value_field, root, "graph_module"), (_epref.graph_node, graph, 0),
            (_epref.graph_tensor, graph, 0), (_epref.graph_tensor_named, graph, "x"),
            (_epref.graph_counts, graph), (_epref.graph_open, _epref.program_root(handle, True)),
            (_epref.archive_from_bytes, LINEAR.read_bytes(), options, None, False),
            (_epref.archive_from_bytes, b"PK\3\4", options, None, False),
            (_epref.archive_from_file, ranges.read, -1, ranges.size, options, None, False),
            (_epref.archive_members, stored), (_epref.archive_programs, stored),
            (_epref.archive_read_member, stored, 0), (_epref.archive_read_tensor, stored, 0),
            (_epref.archive_check, stored, False), (_epref.archive_tensors, stored),
            (_epref.archive_digest, stored, True),
            (_epref.archive_migrate, stored, nothing, "torch-2.13", True), (_epref.versions,), (_epref.codes,),
            (_epref.find_version, "8.20"), (_epref.library_version,),
        ]
        for function, *arguments in calls:
            wanted = ended(function, arguments)
            for n in range(400):
                _testcapi.set_nomemory(n, n + 1)
                try:
                    said = ended(function, arguments)
                finally:
                    _testcapi.remove_mem_hooks()
                if said != MemoryError:
                    self.assertEqual(said, wanted, (function, n))
                    break
            else:
                self.assertGreater(n, 300, function)


def ended(function, arguments):
    """How a call ended: with None, or what it raised."""
    try:
        function(*arguments)
    except MemoryError:
        return MemoryError
    except Exception as error:
        return type(error)
    return None


class Importing(unittest.TestCase):
    def test_time(self):
        """Importing takes less than 50 ms of a processor, and brings nothing large."""
        script = ("import time, sys; t = time.process_time(); import epref; "
                  "print(time.process_time() - t, *(each in sys.modules for each in "
                  "('numpy', 'subprocess')))")
        told = [subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.split() for _ in range(5)]
        self.assertLess(min(float(each[0]) for each in told), 0.05)
        self.assertEqual(told[0][1:], ["False", "False"])


if __name__ == "__main__":
    if sys.argv[1:] == ["--growth"]:
        growth()
    else:
        unittest.main()
