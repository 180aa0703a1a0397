"""Payload configs (SPEC 8.3): what one is, its entries, what a tensor_meta holds, and whether
tensors fit the bytes of their members.
"""

import copy

from generate.archive.kits import LATEST, Wholes, add, both, entry, held, payload, plain, raw, raw_object
from generate.archive.pickles import pickled, saved, storage, tensor
from generate.archive.zips import DEFLATED
from generate.whole import meta

CONFIG, ENTRIES, METAS, BYTES = "8.3.1", "8.3.2", "8.3.3", "8.3.4"
PAYLOAD, UNFIT = "EP_ARCHIVE_PAYLOAD", "EP_ARCHIVE_BYTES"
MOST = (1 << 63) - 1  # that an int of the schema holds

# ---- 8.3.1: a config is a PayloadConfig -------------------------------------------


def spare():
    """A program without state, and a weight that it does not know: four floats."""
    kit = plain()
    kit.weights["spare"] = held("weight_0", meta(4))
    kit.payloads["weights/weight_0"] = bytes(16)
    return kit


def told(old, new, part="weights"):
    """A piece of a config's text, which it has once, in another spelling."""
    def change(kit):
        data = kit.said(part).decode("utf-8")
        assert data.count(old) == 1, (old, data.count(old))
        kit.texts[part] = data.replace(old, new).encode("utf-8", "surrogateescape")
    return change


def found(needle, pointer, ahead=0, last=False):
    """Where the text of the config has this, so many bytes further."""
    def where(kit):
        data = kit.said("weights")
        needle_bytes = needle.encode("utf-8", "surrogateescape")
        assert last or data.count(needle_bytes) == 1, needle
        return (data.rindex if last else data.index)(needle_bytes) + ahead, pointer
    return where


SPARE = "/config/spare"
META = SPARE + "/tensor_meta"
NUMBERS = ('"dtype": 7, "sizes": [{"as_int": 4}], "requires_grad": false, "device": {"type": "cpu", '
           '"index": null}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7')
# label, what the text has, what it has instead, code, where, why
STRICT = (
    ("missing-path", '"path_name": "weight_0", ', "", "EP_MISSING_FIELD",
     found('}}}', SPARE, 1), "No path_name."),
    ("missing-param", '"is_param": false, ', "", "EP_MISSING_FIELD", found('}}}', SPARE, 1),
     "No is_param."),
    ("missing-pickle", '"use_pickle": false, ', "", "EP_MISSING_FIELD", found('}}}', SPARE, 1),
     "No use_pickle."),
    ("missing-dtype", '"dtype": 7, ', "", "EP_MISSING_FIELD", found('}}}', META), "No dtype."),
    ("missing-offset", '"storage_offset": {"as_int": 0}, ', "", "EP_MISSING_FIELD",
     found('}}}', META), "No storage_offset."),
    ("missing-layout", ', "layout": 7', "", "EP_MISSING_FIELD", found('}}}', META, 1), "No layout."),
    ("missing-device", '"device": {"type": "cpu", "index": null}, ', "", "EP_MISSING_FIELD",
     found('}}}', META), "No device."),
    ("missing-config", '"config": ', '"configs": ', "EP_UNKNOWN_FIELD",
     found('"configs"', "/configs"), "No config, but a field of another name."),
    ("unknown", '"use_pickle": false', '"use_pickle": false, "size": 16', "EP_UNKNOWN_FIELD",
     found('"size"', SPARE + "/size"), "A field that a PayloadMeta does not have."),
    ("unknown-top", '{"config"', '{"version": 1, "config"', "EP_UNKNOWN_FIELD",
     found('"version"', "/version"), "A field that a PayloadConfig does not have."),
    ("unknown-meta", '"layout": 7', '"layout": 7, "nbytes": 16', "EP_UNKNOWN_FIELD",
     found('"nbytes"', META + "/nbytes"), "A field that a TensorMeta does not have."),
    ("schema-version", '{"config"', '{"schema_version": {"major": 8, "minor": 20}, "config"',
     "EP_UNKNOWN_FIELD", found('"schema_version"', "/schema_version"), "A config says no version."),
    ("path-type", '"weight_0"', '["weight_0"]', "EP_TYPE", found('["w', SPARE + "/path_name"),
     "path_name is a list."),
    ("path-null", '"weight_0"', "null", "EP_NULL",
     found('"path_name": null', SPARE + "/path_name", len('"path_name": ')), "path_name is null."),
    ("param-number", '"is_param": false', '"is_param": 1', "EP_TYPE",
     found("1, \"use", SPARE + "/is_param"), "is_param is a number."),
    ("param-text", '"is_param": false', '"is_param": "true"', "EP_TYPE",
     found('"true"', SPARE + "/is_param"), "is_param is a text."),
    ("pickle-number", '"use_pickle": false', '"use_pickle": 3', "EP_TYPE",
     found("3, \"tensor", SPARE + "/use_pickle"), "use_pickle is a number."),
    ("meta-text", '"tensor_meta": {%s}' % NUMBERS, '"tensor_meta": "none"', "EP_TYPE",
     found('"none"', META), "tensor_meta is a text."),
    ("dtype-text", '"dtype": 7', '"dtype": "FLOAT"', "EP_TYPE",
     found('"FLOAT"', META + "/dtype"), "dtype is a name."),
    ("dtype-unknown", '"dtype": 7', '"dtype": 99', "EP_UNKNOWN_ENUM",
     found("99", META + "/dtype"), "A dtype that there is not."),
    ("dtype-other", '"dtype": 7', '"dtype": 14', "EP_ENUM_VERSION",
     found("14", META + "/dtype"), "A dtype of other versions: the config is one of 8.20."),
    ("layout-unknown", '"layout": 7', '"layout": 8', "EP_UNKNOWN_ENUM",
     found("8}", META + "/layout"), "A layout that there is not."),
    ("offset-plain", '"storage_offset": {"as_int": 0}', '"storage_offset": 0', "EP_TYPE",
     found("0, \"layout", META + "/storage_offset"), "A storage_offset as before 4.2."),
    ("size-float", '"sizes": [{"as_int": 4}]', '"sizes": [{"as_int": 4.0}]', "EP_INT_FORM",
     found("4.0", META + "/sizes/0/as_int"), "A size with a point."),
    ("size-beyond", '"sizes": [{"as_int": 4}]', '"sizes": [{"as_int": 9223372036854775808}]',
     "EP_INT_RANGE", found("9223372036854775808", META + "/sizes/0/as_int"),
     "A size beyond 64 bits."),
    ("twice", '"is_param": false, ', '"is_param": false, "is_param": false, ',
     "EP_DUPLICATE_KEY", found('"is_param"', SPARE + "/is_param", last=True), "A field twice."),
    ("entry-null", '{"spare": {', '{"x": null, "spare": {', "EP_NULL", found("null, \"sp",
                                                                            "/config/x"),
     "An entry is null."),
    ("literal", '"is_param": false', '"is_param": False', "EP_SYNTAX",
     found("False", SPARE + "/is_param"), "A word of Python."),
    ("comma", '"layout": 7}', '"layout": 7,}', "EP_SYNTAX", found(",}", META, 1),
     "A comma too many."),
    ("comment", '{"config"', '{//\n"config"', "EP_SYNTAX", (1, ""), "A comment."),
    ("nonfinite", '"dtype": 7', '"dtype": NaN', "EP_NONFINITE", found("NaN", META + "/dtype"),
     "Not a number: no config may hold one bare."),
    ("nonfinite-unknown", '"use_pickle": false', '"use_pickle": false, "size": -Infinity',
     "EP_NONFINITE", found("-Infinity", SPARE + "/size"),
     "An infinity in a field that there is not: the wire is told first."),
)


def strict(one):
    def config(data):
        return lambda kit: kit.texts.update(weights=data)
    for label, old, new, code, where, why in STRICT:
        one.bad("config-" + label, told(old, new), code, where, "In a config: " + why,
                also=[CONFIG])
    text = spare().said("weights")
    size = len(text)
    for label, data, code, place, why in (
            ("array", b"[]", "EP_TYPE", (0, ""), "It is an array."),
            ("outermost-null", b"null", "EP_TYPE", (0, ""), "It is null."),
            ("outermost-text", b'"config"', "EP_TYPE", (0, ""), "It is a text."),
            ("outermost-null-more", b"null x", "EP_TRAILING", (5, ""), "It is null, and goes on."),
            ("config-list", b'{"config": []}', "EP_TYPE", (11, "/config"), "Its config is a list."),
            ("empty-object", b"{}", "EP_MISSING_FIELD", (1, ""), "It has no config."),
            ("null", b'{"config": null}', "EP_NULL", (11, "/config"), "Its config is null."),
            ("trailing", text + b"{}", "EP_TRAILING", (size, ""), "Two texts."),
            ("zero", text + b"\0", "EP_TRAILING", (size, ""), "A zero byte behind it."),
            ("mark", b"\xef\xbb\xbf" + text, "EP_BOM", (0, ""), "A byte order mark."),
            ("cut", text[:-1], "EP_END", (size - 1, ""), "Its last brace is missing."),
            ("utf8", text.replace(b"spare", b"sp\xffre"), "EP_UTF8",
             (text.index(b"spare") + 2, "/config"), "A name that is not UTF-8.")):
        one.bad("config-" + label, config(data), code, place, "A config. " + why, also=[CONFIG])
    for label, change, why in (
            ("spaced", config(b" \n" + text.replace(b", ", b" ,\t") + b"\r\n"), "White space."),
            ("escaped", config(text.replace(b"weight_0", b"\\u0077eight_0")),
             "An escape in path_name."),
            ("order", told('"path_name": "weight_0", "is_param": false',
                           '"is_param": false, "path_name": "weight_0"'),
             "Fields in another order.")):
        one.good("config-" + label, change, [CONFIG], "A config in another spelling. " + why)


def versions(suite):
    """The version of the program says nothing of the config."""
    for version, dtype, size in (("8.14", 35, 8), ("8.8", 33, 1), ("5.3", 28, 2)):
        one = Wholes(suite, "config-" + version, lambda version=version: plain(version), [CONFIG],
                     "A program of %s with configs." % version)
        one.good("later-dtype", add("weights", "spare", held("weight_0", meta(3, dtype=dtype)),
                                    weight_0=bytes(3 * size)), [CONFIG, METAS],
                 "A dtype that 8.20 has, in the config of a program of %s that has it not."
                 % version)


# ---- 8.3.2: entries ---------------------------------------------------------------


def two(change):
    """Another entry of the same member."""
    def make(kit):
        other = copy.deepcopy(kit.weights["spare"])
        kit.weights["second"] = other
        change(other)
    return make


def updating(**said):
    def change(payload_meta):
        for key, what in said.items():
            where = payload_meta["tensor_meta"] if key in payload_meta["tensor_meta"] else \
                payload_meta
            where[key] = what
    return change


CUDA = {"type": "cuda", "index": 0}
ONE_FLOATS = saved(pickled(tensor(storage("0", 4), (4,))), {"0": bytes(16)})


def named(path, member_name=None):
    """The spare weight under another path; member_name: how the member is then called."""
    def change(kit):
        kit.weights["spare"]["path_name"] = path
        if member_name is not None:
            kit.payloads["weights/" + member_name] = kit.payloads.pop("weights/weight_0")
    return change


PATHS = (  # label, whether it may be, change, why
    ("other", True, named("weight_17", "weight_17"), "A number of any size."),
    ("letters", True, named("weight_", "weight_"), "No number."),
    ("word", True, named("weight_\u00e9", "weight_\u00e9"), "Any letters behind the prefix."),
    ("missing", False, named("weight_1"), "A member that is not there."),
    ("empty", False, named(""), "No name."),
    ("case", False, named("Weight_0"), "Case counts."),
    ("zero", False, named("weight_0\0"), "A zero byte behind the name."),
    ("folder", False, named("data/weights/weight_0"), "The folder is said twice."),
    ("absolute", False, named("/weight_0"), "An absolute path."),
    ("dot", False, named("./weight_0"), "The folder itself before the name."),
    ("up", False, named("../weights/weight_0"), "A way round."),
    ("slash", False, named("weight_0/"), "A slash behind."),
    ("deeper", False, named("weight_0/b", "weight_0/b"), "A member of a folder below."),
    ("blank", False, named("weight_0 "), "A blank behind."),
    ("prefix", False, named("w", "w"), "A member of the folder that has no prefix."),
    ("prefix-case", False, named("WEIGHT_0", "WEIGHT_0"), "The prefix in capitals."),
    ("prefix-tensor", False, named("tensor_0", "tensor_0"), "The prefix of a constant."),
    ("prefix-short", False, named("weight0", "weight0"), "The prefix without its line."),
    ("config", False, named("model_weights_config.json"), "The config itself."),
)


def paths(one, raw_one, objects):
    for label, valid, change, why in PATHS:
        one.pairs([("path-" + label, valid, change, "A weight. " + why)], [ENTRIES], PAYLOAD,
                  ("weights", "spare"))

    def constant(path, name):
        def change(kit):
            kit.payloads["constants/" + path] = kit.payloads.pop(
                "constants/" + kit.constants[name]["path_name"])
            kit.constants[name]["path_name"] = path
        return change
    raw_one.bad("path-constant-weight", constant("weight_0", "table"), PAYLOAD,
                ("constants", "table"), "A constant with the prefix of a weight.")
    raw_one.bad("path-constant-none", constant("x", "table"), PAYLOAD, ("constants", "table"),
                "A constant without a prefix.")
    objects.bad("path-object-as-tensor", constant("tensor_9", "engine"), PAYLOAD,
                ("constants", "engine"), "An object with the prefix of a tensor.")
    raw_one.bad("path-tensor-as-object", constant("custom_obj_9", "table"), PAYLOAD,
                ("constants", "table"), "A tensor with the prefix of an object.")
    raw_one.bad("path-tensor-as-opaque", constant("opaque_obj_9", "table"), PAYLOAD,
                ("constants", "table"), "A tensor with the prefix of an opaque object.")
    objects.bad("path-object-prefix", constant("custom_objs_9", "engine"), PAYLOAD,
                ("constants", "engine"), "An object with a prefix that is none.")
    objects.good("path-object", constant("custom_obj_", "engine"), [ENTRIES],
                 "An object without a number.")
    raw_one.bad("path-across", entry("constants", "table", path_name="weight_0"), PAYLOAD,
                ("constants", "table"), "A constant that names a weight of the other folder.")
    objects.bad("meta-object", entry("constants", "engine", tensor_meta=meta(1)), PAYLOAD,
                ("constants", "engine"), "An object with a tensor_meta.")
    objects.bad("object-raw", entry("constants", "engine", use_pickle=False), PAYLOAD,
                ("constants", "engine"), "An object that is not pickled.")
    objects.bad("object-param", entry("constants", "engine", is_param=True), PAYLOAD,
                ("constants", "engine"), "An object that is a parameter.")
    raw_one.bad("meta-none-constant", entry("constants", "table", tensor_meta=None), PAYLOAD,
                ("constants", "table"), "A constant without a tensor_meta.")
    one.bad("meta-none", entry("weights", "spare", tensor_meta=None), PAYLOAD,
            ("weights", "spare"), "A weight without a tensor_meta.")
    one.bad("meta-none-pickled", both(entry("weights", "spare", tensor_meta=None, use_pickle=True),
                                      payload("weights/weight_0", ONE_FLOATS)), PAYLOAD,
            ("weights", "spare"), "A pickled weight without a tensor_meta.")


def shared(one):
    pickled_one = both(entry("weights", "spare", use_pickle=True),
                       payload("weights/weight_0", ONE_FLOATS))
    one.good("shared", two(updating()), [ENTRIES], "Two entries of one member.")
    one.good("shared-param", two(updating(is_param=True)), [ENTRIES],
             "Two entries of one member, one of them a parameter.")
    one.good("shared-shape", two(updating(sizes=[2, 2], strides=[1, 2])), [ENTRIES],
             "Two entries of one member, of other sizes and strides.")
    one.good("pickled", pickled_one, [ENTRIES, "8.5.1"], "A pickled weight.")
    twin = ("weights", "second")
    one.bad("shared-dtype", two(updating(dtype=4)), PAYLOAD, twin,
            "Two entries of one member, of two dtypes of one size.")
    one.bad("shared-device", two(updating(device=CUDA)), PAYLOAD, twin,
            "Two entries of one member, on two devices.")
    one.bad("shared-index", both(entry("weights", "spare", meta_device=CUDA), two(
        updating(device={"type": "cuda", "index": 1}))), PAYLOAD, twin,
            "Two entries of one member, on two devices of one type.")
    one.bad("shared-pickle", two(updating(use_pickle=True)), PAYLOAD, twin,
            "Two entries of one member, the second pickled.")
    one.bad("shared-raw", both(pickled_one, two(updating(use_pickle=False))), PAYLOAD, twin,
            "Two entries of one member, the first pickled.")
    one.bad("shared-pickles", both(pickled_one, two(updating())), PAYLOAD, twin,
            "Two entries of one pickled member.")


# ---- 8.3.3: what is in a tensor_meta ----------------------------------------------

SIZES = {  # bytes of an element: dtypes
    1: ("BYTE", "CHAR", "BOOL", "FLOAT8E4M3FN", "FLOAT8E5M2", "FLOAT8E4M3FNUZ", "FLOAT8E5M2FNUZ",
        "FLOAT8E8M0FNU"),
    2: ("SHORT", "HALF", "BFLOAT16", "UINT16"),
    4: ("INT", "FLOAT", "COMPLEXHALF", "UINT32"),
    8: ("LONG", "DOUBLE", "COMPLEXFLOAT", "UINT64"),
    16: ("COMPLEXDOUBLE",),
}
LAYOUTS = ("Unknown", "SparseCoo", "SparseCsr", "SparseCsc", "SparseBsr", "SparseBsc", "_mkldnn")


def of(sizes, strides, offset=0, count=None, **more):
    """The spare weight with these numbers, in a member of so many floats."""
    def change(kit):
        kit.weights["spare"]["tensor_meta"].update(sizes=sizes, strides=strides,
                                                   storage_offset=offset, **more)
        if count is not None:
            kit.payloads["weights/weight_0"] = bytes(4 * count)
    return change


def dtypes(one):
    numbers = LATEST.types["ScalarType"].values
    listed = {name for names in SIZES.values() for name in names}
    assert listed == set(numbers) - {"UNKNOWN"}, listed ^ set(numbers)
    for size, names in SIZES.items():
        for name in names:
            change = entry("weights", "spare", meta_dtype=numbers[name])
            twin = one.good("dtype-" + name, both(change, payload("weights/weight_0", bytes(4 * size))),
                            [METAS, BYTES], "Four elements of %s, of %d bytes each." % (name, size))
            one.bad("dtype-%s-short" % name, both(change, payload(
                "weights/weight_0", bytes(4 * size - 1))), UNFIT, ("weights", "spare"),
                    "Four elements of %s in a byte less than they need." % name,
                    twin=twin, also=[METAS])
    for name in numbers:
        if name == "UNKNOWN":
            continue
        size = next(size for size, names in SIZES.items() if name in names)
        change = both(entry("weights", "spare", meta_dtype=numbers[name],
                            meta_requires_grad=True),
                      payload("weights/weight_0", bytes(4 * size)))
        if name.startswith(("HALF", "FLOAT", "DOUBLE", "COMPLEX", "BFLOAT")):
            one.good("gradient-" + name, change, [METAS], "A gradient of %s." % name)
        else:
            one.bad("gradient-" + name, change, PAYLOAD, ("weights", "spare"),
                    "No gradient of %s." % name, twin="dtype-" + name, also=[METAS])
    one.bad("dtype-UNKNOWN", entry("weights", "spare", meta_dtype=0), PAYLOAD,
            ("weights", "spare"), "UNKNOWN has no size.", also=[METAS])


METAS_ROWS = (
    ("scalar", True, of([], []), "No dimension, and so one element."),
    ("rank-64", True, of([1] * 64, [1] * 64), "64 dimensions."),
    ("rank-65", False, of([1] * 65, [1] * 65), "65 dimensions."),
    ("strides-less", False, of([2, 2], [1]), "A stride is missing."),
    ("strides-more", False, of([4], [4, 1]), "A stride too many."),
    ("strides-none", False, of([4], []), "No strides."),
    ("size-zero", True, of([0, 4], [4, 1]), "No elements."),
    ("stride-zero", True, of([4], [0]), "One element, shown four times."),
    ("size-negative", False, of([-4], [1]), "A size below 0."),
    ("size-lowest", False, of([-MOST - 1], [1]), "The lowest of all sizes."),
    ("stride-negative", False, of([4], [-1], 3), "A stride below 0, which stays in the member."),
    ("stride-negative-alone", False, of([1], [-1]), "A stride below 0, which nothing steps by."),
    ("offset-negative", False, of([3], [1], -1), "A storage_offset below 0."),
    ("offset-negative-empty", False, of([0], [1], -1), "A storage_offset below 0, of no elements."),
    ("size-symbol", False, of(["s0"], [1]), "A size that is a symbol."),
    ("size-hinted", False, of([("s0", 4)], [1]), "A size that is a symbol with a hint."),
    ("size-expression", False, of(["4"], [1]), "A size that is the text of a number."),
    ("stride-symbol", False, of([4], ["s0"]), "A stride that is a symbol."),
    ("offset-symbol", False, of([3], [1], "s0"), "A storage_offset that is a symbol."),
)


def metas(one):
    numbers = LATEST.types["Layout"].values
    for name in LAYOUTS:
        one.bad("layout-" + name, entry("weights", "spare", meta_layout=numbers[name]), PAYLOAD,
                ("weights", "spare"), "A raw tensor of the layout %s." % name, also=[METAS])
    for label, valid, change, why in METAS_ROWS:
        one.pairs([("numbers-" + label, valid, change, why)], [METAS], PAYLOAD,
                  ("weights", "spare"))


# ---- 8.3.4: bytes -----------------------------------------------------------------

FITS = (  # label, whether it fits, change, why
    ("exact", True, of([2, 3], [3, 1], 0, 6), "Six elements in six."),
    ("less", False, of([2, 3], [3, 1], 0, 5), "Six elements in five."),
    ("longer", True, of([2, 3], [3, 1], 0, 100), "Six elements in a hundred."),
    ("offset", True, of([2, 3], [3, 1], 4, 10), "From an offset to the end."),
    ("offset-over", False, of([2, 3], [3, 1], 5, 10), "From an offset to beyond the end."),
    ("offset-end", False, of([1], [1], 4, 4), "An element right behind the end."),
    ("offset-last", True, of([1], [1], 3, 4), "The last element."),
    ("offset-bytes", False, of([1], [1], 12, 4), "An offset that counts bytes."),
    ("scalar-none", False, of([], [], 1, 1), "A scalar behind the end."),
    ("scalar-last", True, of([], [], 1, 2), "A scalar at the end."),
    ("columns", True, of([2, 3], [1, 2], 0, 6), "Column by column."),
    ("columns-less", False, of([2, 3], [1, 2], 0, 5), "Column by column, beyond the end."),
    ("steps", True, of([3, 2], [5, 2], 1, 14), "Steps in two dimensions, up to the end."),
    ("steps-less", False, of([3, 2], [5, 2], 1, 13), "The same, a step too far."),
    ("overlap", True, of([3, 3], [1, 1], 0, 5), "Elements that are shown several times."),
    ("overlap-less", False, of([3, 3], [1, 1], 0, 4), "The same, beyond the end."),
    ("expanded", True, of([MOST // 4, 4], [0, 1], 0, 4),
     "As many rows as there can be, all the same."),
    ("expanded-less", False, of([MOST // 4, 4], [0, 1], 0, 3), "The same, beyond the end."),
    ("stride-unused", True, of([1, 4], [MOST, 1], 0, 4), "A stride that nothing steps by."),
    ("stride-used", False, of([2, 4], [MOST, 1], 0, 4), "The greatest stride, and a step."),
    ("empty", True, of([0], [1], 0, 0), "No element in no bytes."),
    ("empty-offset", True, of([0], [1], MOST, 4), "No element, at the greatest offset."),
    ("empty-strides", True, of([MOST, 0, MOST], [MOST, MOST, MOST], MOST, 4),
     "No element, whatever the other numbers are."),
    ("offset-greatest", False, of([1], [1], MOST, 4), "An element at the greatest offset."),
    ("wrap-offset", False, of([1], [1], 1 << 62, 4), "2^62 floats before it, which are 2^64 "
     "bytes."),
    ("wrap-half", False, of([1], [1], 1 << 61, 4), "2^61 floats before it, which are 2^63 bytes."),
    ("wrap-size", False, of([(1 << 62) + 1], [1], 0, 4), "2^62 elements, and one more."),
    ("wrap-product", False, of([(1 << 32) + 1], [1 << 32], 0, 4), "2^32 steps of 2^32 elements."),
    ("wrap-product-half", False, of([(1 << 31) + 1], [1 << 31], 0, 4),
     "2^31 steps of 2^31 elements."),
    ("wrap-sum", False, of([2, 2, 3], [MOST, MOST, 1], 0, 4), "Two steps that are 2^64 together, "
     "with two elements more."),
    ("wrap-all", False, of([2, 2], [MOST, MOST], 2, 4), "Steps and an offset that are 2^64 "
     "together."),
    ("wrap-dimensions", False, of([3] * 63, [1 << i for i in range(63)], 0, 4),
     "63 dimensions, whose steps are nearly 2^64."),
    ("greatest", False, of([MOST], [MOST], MOST, 4), "All numbers are the greatest."),
    ("size-greatest", False, of([MOST], [1], 0, 4), "The greatest size."),
    ("ones", True, of([1] * 64, [MOST] * 64, 3, 4), "One element, in 64 dimensions."),
)
WHOLE = (  # label, whether it is, bytes, of sizes, why
    ("multiple", True, 16, [3], "Four floats, of which three are shown."),
    ("multiple-over", False, 13, [3], "Three floats and a byte."),
    ("multiple-three", False, 15, [3], "Three floats and three bytes."),
    ("multiple-empty", False, 3, [0], "No element, in three bytes."),
    ("multiple-empty-one", True, 4, [0], "No element, in the bytes of one."),
)


def fits(one, raw_one):
    where = ("weights", "spare")
    for label, valid, change, why in FITS:
        one.pairs([("fits-" + label, valid, change, why)], [BYTES], UNFIT, where)
    for label, valid, size, sizes, why in WHOLE:
        one.pairs([("fits-" + label, valid, both(of(sizes, [1]), payload(
            "weights/weight_0", bytes(size))), why)], [BYTES], UNFIT, where)
    one.good("fits-deflated", lambda kit: kit.how.update(
        {"data/weights/weight_0": {"method": DEFLATED}}), [BYTES],
             "A member that is deflated has as many bytes as come out.")
    one.bad("fits-second", two(updating(sizes=[5])), UNFIT, ("weights", "second"),
            "Of two entries of one member the second does not fit.", twin="shared")
    raw_one.bad("fits-constant", payload("constants/tensor_0", bytes(12)), UNFIT,
                ("constants", "table"), "A constant that does not fit.")
    raw_one.bad("fits-constant-none", payload("constants/tensor_0", b""), UNFIT,
                ("constants", "table"), "A constant without bytes, among others that have some.")
    raw_one.bad("fits-weight-none", both(
        payload("weights/weight_0", b""), add("weights", "w", held("weight_1", meta(1)),
                                              weight_1=bytes(4))), UNFIT, ("weights", "weight"),
                "A weight without bytes, among others that have some.")


ON_META = {"type": "meta", "index": None}
NO_BYTES = payload("weights/weight_0", b"")


def beside_it(said, data, name="other"):
    """Another entry with a member of its own."""
    return add("weights", name, held("weight_1", said), weight_1=data)


FAKES = (
    ("fake", True, NO_BYTES, "No tensor has bytes."),
    ("fake-two", True, both(NO_BYTES, beside_it(meta(3), b"")), "Two tensors, and neither has "
     "bytes."),
    ("fake-not", False, both(NO_BYTES, beside_it(meta(3), bytes(12))),
     "Of two tensors the second has bytes."),
    ("fake-empty", True, both(NO_BYTES, beside_it(meta(0), bytes(12))),
     "Beside one without bytes, a tensor of no elements that has some."),
    ("fake-meta", True, both(NO_BYTES, beside_it(meta(3, device=ON_META), b"")),
     "A tensor without bytes, and one on meta."),
    ("meta", True, both(NO_BYTES, of([4], [1], device=ON_META)), "A tensor on meta."),
    ("meta-far", True, both(NO_BYTES, of([4], [1], 99, device=ON_META)),
     "A tensor on meta need not fit."),
    ("meta-beside", True, beside_it(meta(3, device=ON_META), b""),
     "A tensor on meta, beside one that has bytes."),
    ("meta-bytes", False, of([4], [1], device=ON_META), "A tensor on meta, with bytes."),
    ("meta-bytes-empty", False, of([0], [1], device=ON_META),
     "A tensor of no elements on meta, with bytes."),
    ("meta-bytes-beside", False, both(NO_BYTES, beside_it(meta(3, device=ON_META), bytes(12))),
     "A tensor without bytes, and one on meta that has some."),
    ("meta-index", False, both(NO_BYTES, of([4], [1], device=ON_META), beside_it(meta(1), b"ab")),
     "Beside a tensor on meta, one whose bytes are no whole element."),
    ("zeros-first", False, both(NO_BYTES, of([2], [3])),
     "A tensor that reaches beyond as many elements as it has."),
    ("zeros-offset", False, both(NO_BYTES, of([2], [1], 1)),
     "A tensor at an offset in as many elements as it has."),
    ("zeros-columns", True, both(NO_BYTES, of([2, 3], [1, 2])),
     "A tensor column by column, in as many elements as it has."),
)


def fakes(one, raw_one):
    where = {"meta-index": "other", "meta-bytes-beside": "other"}
    for label, valid, change, why in FAKES:
        one.pairs([(label, valid, change, why)], [BYTES], UNFIT,
                  ("weights", where.get(label, "spare")))
    for label, valid, said, why in (
            ("same", True, {}, "The same."), ("part", True, {"sizes": [2], "storage_offset": 2},
                                              "The end of it."),
            ("over", False, {"sizes": [3], "storage_offset": 2}, "Beyond its end."),
            ("more", False, {"sizes": [5]}, "One element more."),
            ("empty", True, {"sizes": [0], "storage_offset": 9}, "No element.")):
        one.pairs([("zeros-second-" + label, valid, both(NO_BYTES, two(updating(**said))),
                    "Two tensors of one member without bytes, of which the first has four "
                    "elements. The second: " + why)], [BYTES], UNFIT, ("weights", "second"))
    one.bad("zeros-after-empty", both(NO_BYTES, of([0], [1]), two(updating(sizes=[1]))), UNFIT,
            ("weights", "second"), "Two tensors of one member without bytes, of which the first has "
            "no elements and the second one.")
    raw_one.good("fake-weights", lambda kit: (
        kit.payloads.update({"weights/weight_0": b""}),
        kit.weights["tail"]["tensor_meta"].update(storage_offset=3),
        kit.draft.data["graph"]["tensor_values"]["b_tail"].update(storage_offset=3)), [BYTES],
                 "All weights without bytes; the constants have theirs.")
    raw_one.bad("fake-weights-over", payload("weights/weight_0", b""), UNFIT, ("weights", "tail"),
                "All weights without bytes, and the second tensor of a member shows more than the "
                "first has.")


def vectors(suite):
    raw_one = Wholes(suite, "raw", raw, [], "")
    one = Wholes(suite, "spare", spare, [CONFIG, ENTRIES, METAS, BYTES],
                 "A weight that the program does not know, of four floats.")
    strict(one)
    versions(suite)
    paths(one, raw_one, Wholes(suite, "object", raw_object, [], ""))
    shared(one)
    dtypes(one)
    metas(one)
    fits(one, raw_one)
    fakes(one, raw_one)
