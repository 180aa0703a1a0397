"""Vectors of what is read from archives: lists of members and tensors, digests of state (SPEC
8.6), and comparisons.  Of digests and comparisons each archive has one thing other than another:
a bit, a sign, a dtype, a size, a name, a role, or only how it is laid out.
"""

import copy
import hashlib
import json
import struct

from format.history import VERSIONS
from generate.archive.kits import PT2, put, raw, saved_state
from generate.archive.elements import pickled_tensor
from generate.archive.packing import all_roles, made, program_of
from generate.archive.pickles import meta_tensor, parameter
from generate.archive.written import (BYTES, TORCH, Tensor, laid_out, since, sorted_out, style_of,
                                      zipped)
from generate.archive.zips import DEFLATED, deflated
from generate.whole import meta

MEMBERS, TYPES, DIGEST, CONTENTS, COVERED = "8.1.3", "8.4.1", "8.6.1", "8.6.5", "8.6.3"
ROLES = {"parameter": "parameter", "buffer": "buffer", "constant": "constant",
         "unsaved": "buffer, not persistent"}
LATEST = VERSIONS["8.20"]
DTYPES = {number: name for name, number in LATEST.types["ScalarType"].values.items()}


def text_of(tensors, version):
    return program_of(tensors).written(VERSIONS[version]).text.encode("utf-8")


def archive_of(version, tensors, extras=(), folder="archive"):
    return laid_out(version, text_of(tensors, version), tensors, extras, folder=folder)


# ---- lists ------------------------------------------------------------------------


def member_said(name, data, packed=None):
    return {"member": name, "size": len(data), **({"packed": packed} if packed else {})}


def tensor_said(tensor, member, stored, gradient=None):
    said = tensor.meta
    listed = {"tensor": tensor.name, "program": 0, "role": ROLES[tensor.role],
              "dtype": TORCH[tensor.dtype], "sizes": ",".join(map(str, said["sizes"])),
              "strides": ",".join(map(str, said["strides"])), "offset": said["storage_offset"],
              "device": "cpu",
              "requires_grad": said["requires_grad"] if gradient is None else gradient,
              "is_parameter": tensor.role == "parameter",
              "bytes": len(tensor.data), "member": member, "stored": stored}
    return {key: value for key, value in listed.items() if value not in ("", False) or
            value == 0 and not isinstance(value, bool)}


def product(said):
    return {"text": json.dumps(said)}


def listed(version, tensors, files, folder):
    """The list of an archive as it is written."""
    rows = [member_said(name, data) for name, data in files]
    raw_members = since(version, "8.14")
    style = None if raw_members else style_of(version)
    names = [name for name, _ in files]
    for part, own in zip(("weights", "constants"), sorted_out(tensors, style)):
        prefix = "weight" if part == "weights" else "tensor"
        pickle = next((name for name in names if "state_dict" in name or part + "/model.pt" in name
                       ), None) if part == "weights" else next(
            (name for name in names if "serialized_constants" in name or
             part + "/model.pt" in name), None)
        for i, tensor in enumerate(own):
            member = "%s/data/%s/%s_%d" % (folder, part, prefix, i) if raw_members else pickle
            always = style is not None and style.always and tensor.role == "parameter"
            rows.append(tensor_said(tensor, member, len(tensor.stored()), True if always else None))
    return rows


def lists(suite):
    for version in ("1", "2", "5.1", "7.3", "8.7", "8.8", "8.20"):
        for label, tensors in (("none", []), ("roles", all_roles(version))):
            files, pt2 = archive_of(version, tensors, [("a", b"x"), ("b/\u00e9", b"")], "f")
            said = listed(version, tensors, files, "f")
            suite.valid("list/%s/%s" % (label, version), "list", version, zipped(files, pt2),
                        [MEMBERS, TYPES], "Members and tensors, as %s has them." % version,
                        file="archives/list-%s-%s.pt2" % (label, version), provenance="hand",
                        product=product(said))
    shared(suite)
    others(suite)


def of_raw_kit(kit):
    """The list of the archive with configs, up to what its tensors are."""
    root = "m/"
    packed = {name: len(deflated(data)) for name, data in kit.files().items()
              if kit.how.get(name, {}).get("method") == DEFLATED}
    return [member_said(root + name, data, packed.get(name))
            for name, data in kit.files().items()]


def raw_tensors():
    def own(name, role, data, stored, path, *sizes, **said):
        tensor = Tensor(name, role, meta(*sizes, **said), bytes(data))
        return tensor_said(tensor, "m/data/" + path, stored)
    return [own("weight", "parameter", 24, 32, "weights/weight_0", 2, 3, requires_grad=True),
            own("tail", "buffer", 12, 32, "weights/weight_0", 3, storage_offset=5),
            own("cache", "unsaved", 8, 8, "constants/tensor_1", 4, dtype=6),
            own("table", "constant", 16, 16, "constants/tensor_0", 2, 2)]


SAMPLE = {"tensor": "0", "program": 0, "role": "sample input", "dtype": "float32", "sizes": "2,3",
          "strides": "3,1", "offset": 0, "device": "cpu", "bytes": 24,
          "member": "m/data/sample_inputs/model.pt", "stored": 24}


def shared(suite):
    """Tensors that share a storage, a sample input, and members that are deflated."""
    kit = raw()
    put("extra/long", b"a" * 600, method=DEFLATED)(kit)
    put("data/weights/weight_0", kit.payloads["weights/weight_0"], method=DEFLATED)(kit)
    said = of_raw_kit(kit) + raw_tensors() + [SAMPLE]
    suite.valid("list/shared/8.20", "list", "8.20", kit.bytes(), [MEMBERS, TYPES],
                "Two tensors of one member, a sample input, members that are deflated.",
                file="archives/list-shared.pt2", provenance="hand", product=product(said))


def others(suite):
    """Weights that the program does not have: of other strides, on meta, lazy."""
    kit = saved_state("8.8", PT2)
    state = kit.state["weights"]
    state.items["view"] = pickled_tensor("0", 7, (2, 2), (1, 3), 2)
    state.items["lazy"] = pickled_tensor("c", 10, (2,), (1,), 1, True, True)
    state.items["meta"] = meta_tensor((3,))
    state.items["own"] = parameter(pickled_tensor("0", 7, (1,), (1,), 7), False)
    state.storages["c"] = bytes(64)
    rows = of_raw_kit(kit)
    member = "m/data/weights/model.pt"

    def row(name, role, dtype, sizes, strides, offset, size, stored, where=member, **more):
        said = {"tensor": name, "program": 0, "role": role, "dtype": dtype, "sizes": sizes,
                "strides": strides, "offset": offset, "device": "cpu", "bytes": size,
                "member": where, "stored": stored, **more}
        rows.append({key: value for key, value in said.items() if value is not None})
    row("weight", "parameter", "float32", "2,3", "3,1", 0, 24, 32, requires_grad=True,
        is_parameter=True)
    row("tail", "buffer", "float32", "3", "1", 5, 12, 32)
    row("view", "unnamed", "float32", "2,2", "1,3", 2, 16, 32)
    row("lazy", "unnamed", "complex64", "2", "1", 1, 16, 64, is_conjugate=True, is_negative=True)
    rows.append({"tensor": "meta", "program": 0, "role": "unnamed", "form": "meta",
                 "dtype": "float32", "sizes": "3", "strides": "1", "offset": 0, "device": "meta",
                 "unreadable": True, "bytes": 0})
    row("own", "unnamed", "float32", "1", "1", 7, 4, 32, is_parameter=True)
    constants = "m/data/constants/model.pt"
    row("cache", "buffer, not persistent", "float16", "4", "1", 0, 8, 8, constants)
    row("table", "constant", "float32", "2,2", "2,1", 0, 16, 16, constants)
    rows.append(SAMPLE)
    suite.valid("list/others/8.8", "list", "8.8", kit.bytes(), [MEMBERS, TYPES],
                "Weights that the program does not have.", file="archives/list-others.pt2",
                provenance="hand", product=product(rows))


# ---- the digest of the weights ----------------------------------------------------


def digest_line(tensor):
    name = tensor.name.encode("utf-8")
    sizes = ",".join(map(str, tensor.meta["sizes"]))
    return b"%d:%s %s%s %s\n" % (
        len(name), name, DTYPES[tensor.dtype].encode(),
        (" " + sizes if tensor.meta["sizes"] else "").encode(),
        hashlib.sha256(tensor.data).hexdigest().encode())


def weights_digest(tensors):
    lines = [digest_line(each) for each in sorted(tensors, key=lambda each: each.name.encode())]
    return "ew1:" + hashlib.sha256(b"".join(lines)).hexdigest()


def plain_tensors():
    """Of each role one, and a NaN, a zero and a minus among the elements."""
    data = struct.pack("<6f", 0.0, -0.0, 1.5, float("nan"), float("inf"), -2.0)
    return [Tensor("w", "parameter", meta(2, 3, requires_grad=True), data),
            made("buffer", "b", (3,), 5, 1), made("unsaved", "a.b", (2, 2), 6, 2),
            made("constant", "c", (), 8, 3), made("buffer", "none", (0, 4))]


def retyped(tensor, dtype, *sizes, data=None, **said):
    return Tensor(tensor.name, tensor.role, meta(*sizes, dtype=dtype, **said),
                  tensor.data if data is None else data)


def flipped(tensor, at):
    data = bytearray(tensor.data)
    data[at] ^= 0x80
    return Tensor(tensor.name, tensor.role, tensor.meta, bytes(data))


def transposed(tensor):
    """The same elements in other strides."""
    other = copy.deepcopy(tensor)
    other.meta["strides"] = [1, tensor.meta["sizes"][0]]
    return other


def behind(tensor):
    other = copy.deepcopy(tensor)
    other.meta["storage_offset"] = 3
    return other


VARIANTS = (  # label, change of the list of tensors, its comparison with the first, why
    ("strides", lambda t: [transposed(t[0])] + t[1:], [], "Other strides of the same elements."),
    ("offset", lambda t: [behind(t[0])] + t[1:], [], "A storage that begins earlier."),
    ("order", lambda t: [t[4], t[1], t[0]] + t[2:4], [], "Another order."),
    ("zero", lambda t: [flipped(t[0], 3)] + t[1:],
     [{"tensor": "w", "differ": 1, "of": 6}], "0.0 is -0.0."),
    ("nan", lambda t: [flipped(t[0], 15)] + t[1:],
     [{"tensor": "w", "differ": 1, "of": 6}], "Another NaN."),
    ("last", lambda t: [flipped(t[0], 23)] + t[1:],
     [{"tensor": "w", "differ": 1, "of": 6}], "The last element."),
    ("all", lambda t: t[:1] + [Tensor("b", "buffer", t[1].meta, bytes(24))] + t[2:],
     [{"tensor": "b", "differ": 3, "of": 3}], "All elements."),
    ("two", lambda t: [flipped(flipped(t[0], 0), 20), flipped(t[1], 8)] + t[2:],
     [{"tensor": "w", "differ": 2, "of": 6}, {"tensor": "b", "differ": 1, "of": 3}],
     "Elements of two tensors."),
    ("dtype", lambda t: t[:1] + [retyped(t[1], 8, 3)] + t[2:], [{"tensor": "b", "only": "type"}],
     "Another dtype of the same bytes."),
    ("sizes", lambda t: [retyped(t[0], 7, 3, 2, requires_grad=True)] + t[1:],
     [{"tensor": "w", "only": "type"}], "Other sizes of the same elements."),
    ("rank", lambda t: t[:3] + [retyped(t[3], 8, 1)] + t[4:], [{"tensor": "c", "only": "type"}],
     "A scalar is a list of one."),
    ("empty", lambda t: t[:4] + [retyped(t[4], 7, 4, 0)], [{"tensor": "none", "only": "type"}],
     "Other sizes without elements."),
    ("gone", lambda t: t[:1] + t[2:], [{"tensor": "b", "only": "a"}], "A buffer is not there."),
    ("more", lambda t: t + [made("buffer", "z", (1,))], [{"tensor": "z", "only": "b"}],
     "A buffer more."),
    ("name", lambda t: t[:3] + [Tensor("d", "constant", t[3].meta, t[3].data)] + t[4:],
     [{"tensor": "c", "only": "a"}, {"tensor": "d", "only": "b"}], "Another name."),
)


def digests(suite):
    base = plain_tensors()
    first = None
    rows = [("first", lambda t: t, [], "The first.")] + list(VARIANTS)
    for label, change, differences, why in rows:
        tensors = change(list(base))
        data = zipped(*archive_of("8.20", tensors))
        name = suite.valid("weights/%s/8.20" % label, "weights", "8.20", data, [DIGEST], why,
                           file="archives/weights-%s.pt2" % label, provenance="hand",
                           product={"text": weights_digest(tensors)})
        first = first or name
        suite.valid_edit("compare/%s/8.20" % label, first, None, [COVERED], why,
                         operation="compare", provenance="hand", product=product(differences),
                         other=name)
    for version in ("5.1", "7.3", "8.7", "8.8", "8.14"):
        tensors = base if since(version, "7.3") else [
            Tensor(each.name, each.role, {**each.meta, "requires_grad": False}, each.data)
            for each in base]
        data = zipped(*archive_of(version, tensors))
        name = suite.valid("weights/laid-out/%s" % version, "weights", version, data, [DIGEST],
                           "The same state, as %s has it." % version, provenance="hand",
                           file="archives/weights-%s.pt2" % version,
                           product={"text": weights_digest(tensors)})
        suite.valid_edit("compare/laid-out-%s/8.20" % version, first, None, [COVERED],
                         "The same state, as %s has it." % version, operation="compare",
                         provenance="hand", product=product([]), other=name)
    for dtype in TORCH:
        if dtype != 9:
            of_dtype(suite, dtype)


def of_dtype(suite, dtype):
    """A buffer of a dtype, by its name and its bytes."""
    tensors = [made("buffer", "b", (2, 2), dtype, dtype)]
    suite.valid("weights/dtype-%s/8.20" % DTYPES[dtype], "weights", "8.20",
                zipped(*archive_of("8.20", tensors)), [DIGEST], "A buffer of %s, of %d bytes each."
                % (DTYPES[dtype], BYTES[dtype]), provenance="hand",
                file="archives/weights-%s.pt2" % DTYPES[dtype],
                product={"text": weights_digest(tensors)})


# ---- the digest of all contents ---------------------------------------------------


def contents_digest(suite, version, tensors, files):
    """files: extra files and other members, in groups."""
    form = suite.oracle(text_of(tensors, version).decode("utf-8"))
    lines = [b"program 5:model ep1:%s\n" % hashlib.sha256(form.encode()).hexdigest().encode(),
             b"tensors\n"]
    lines += [digest_line(each) for each in sorted(tensors, key=lambda each: each.name.encode())]
    for word, group in files:
        for name, data in sorted((name.encode("utf-8"), data) for name, data in group):
            lines.append(b"%s %d:%s %s\n" % (word, len(name), name,
                                             hashlib.sha256(data).hexdigest().encode()))
    return "ec1:" + hashlib.sha256(b"".join(lines)).hexdigest()


def contents(suite):
    tensors = plain_tensors()
    value = b"member " + hashlib.sha256(b"").hexdigest().encode()
    inputs = (b"inputs", [("data/sample_inputs/model.pt", value)])
    for label, extras, more in (
            ("none", [], []), ("extra", [("b", b"text"), ("a", b"")], []),
            ("other", [("a", b"x")], [("f/unknown", b"bytes"), ("f/data/x", b"y")])):
        files, pt2 = archive_of("8.20", tensors, extras, "f")
        groups = [(b"extra", extras), inputs,
                  (b"member", [(name[2:], data) for name, data in more])]
        suite.valid("weights/contents-%s/8.20" % label, "weights", "8.20",
                    zipped(files + more, pt2), [CONTENTS], "All that a comparison looks at.",
                    file="archives/contents-%s.pt2" % label, provenance="oracle",
                    options={"all": True},
                    product={"text": contents_digest(suite, "8.20", tensors, groups)})


def vectors(suite):
    lists(suite)
    digests(suite)
    contents(suite)
