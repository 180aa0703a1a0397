"""The blob of a custom object between the two versions that have one: a string in one of them and
bytes in the other, of which nothing is known (SPEC 7.2.1).
"""

from generate.canon.forms import op, program
from generate.migrate.migrations import LATEST, Migrations, plain
from generate.whole import NODES, call, meta, tensor

BLOBS = (("none", ""), ("bytes", "AAEC"), ("padded", "AA=="))


def taking(*blobs):
    """A program whose node takes these objects."""
    said = {"o%d" % i: {"as_custom_obj": {"blob": blob}} for i, blob in enumerate(blobs)}
    if not said:
        return program("v0", [op("aten.relu.default", "v1", self="v0")], "v1")
    return program("v0", [call("mylib.f.default", {"x": tensor("v0"), **said}, tensor("v1"))], "v1")


def vectors(suite):
    to = Migrations(suite)
    for pair in (("1-2023-08", "1"), ("1", "1-2023-08")):
        twin = to.way("blob-without", *pair, taking(), ["7.2.1"], "No object.")
        for label, blob in BLOBS:
            to.refused("blob-" + label, twin, taking(blob), "EP_MIGRATE_VALUE",
                       NODES + "0/inputs/1/arg/as_custom_obj",
                       "Nobody knows what the bytes of a text are.", ["7.2.1"])
    lost(to)


def lost(to):
    """Going up, where objects have names: at each place among the arguments of a node."""
    for version in ("1-2023-08", "1"):
        for place in range(3):
            inputs = [("x", tensor("x")), ("n", {"as_int": 1})]
            inputs.insert(place, ("o", {"as_custom_obj": {"blob": "AAEC"}}))
            draft = plain(LATEST, call("mylib.f.default", inputs, tensor("u"))).tensors(u=meta(2))
            to.refused("blob-lost-%d" % place, to.name("plain", version, LATEST), draft,
                       "EP_MIGRATE_FIELD", NODES + "1/inputs/%d/arg/as_custom_obj" % place,
                       "A custom object, which has a name there.", ["7.6.1"])
