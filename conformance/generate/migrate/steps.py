"""Each step of a migration (SPEC 7.4), with lists of none, one, two and three members, all
of them other values: what is lost, doubled or exchanged is another product.  At the version
that brings the step, and from the first to the last.
"""

import copy

from format.history import before
from generate.migrate.migrations import LATEST, Migrations, changed, kinds, plain, written
from generate.rules.subgraphs import as_graph
from generate.language.texts import since
from generate.whole import (MODULES, NODES, Draft, arguments, buffer, call, entry, graph, leaves,
                            meta, parameter, spec, sym_int, tensor, tensors, user_input,
                            user_output)

RETURNS = "is_hop_single_tensor_return"
LISTED, SINGLE = "5.1", "8.5-a"  # the columns of 7.4.4 begin
MANY = range(4)


def names(letter, count):
    return ["%s%d" % (letter, i) for i in range(count)]


def metas(*values):
    """An entry for each, of another size."""
    return {name: meta(i + 2) for i, name in enumerate(values)}


def made(values, results):
    """A graph that gives these results."""
    nodes = [call("mylib.make.default", {}, tensor(name)) for name in results]
    return graph([tensor(name) for name in values], nodes, [tensor(name) for name in results],
                 tensor_values={name: meta(2) for name in [*values, *results]})


def returning(version, node, *results):
    """The node with a tuple of these, in the column of the version."""
    if len(results) == 1 and since(version, SINGLE):
        node.update(outputs=[tensor(*results)], **{RETURNS: False})
    elif len(results) > 1 and since(version, LISTED):
        node["outputs"] = [tensor(name) for name in results]
    else:
        node["outputs"] = [tensors(*results)] if results else []
    return node


def operator(version, target, inputs, results, values):
    """A program around a node, whose arguments are called one by one."""
    draft = Draft(header={"torch_version": "<=2.4"})
    draft.take(*[user_input(tensor(name)) for name in values or ["x"]])
    draft.tensors(**metas(*(values or ["x"]), *results))
    node = call("higher_order." + target, inputs, [])
    draft.node(returning(version, node, *results))
    given = results or ["x" if not values else values[0]]
    return kinds(draft.give(*[user_output(tensor(name)) for name in given]), None)


def crossing(bound, first):
    """Pairs of versions on both sides of a bound: beside it, and far."""
    near = before(bound).name
    return list(dict.fromkeys([(near, bound), (first, bound), (near, LATEST), (first, LATEST)]))


# ---- 7.4.7: arguments ---------------------------------------------------------------------


def loop(version, count, more=None, dropped=0):
    """A while_loop over so many; more: what is not carried."""
    carried = names("x", count)[::-1]
    beside = more or []
    goes = made(names("a", count + len(beside)), ["go"])
    goes["tensor_values"]["go"] = meta(dtype=12)
    inputs = [("c", as_graph("cond_graph_0", goes)),
              ("b", as_graph("body_graph_0", made(names("a", count + len(beside)),
                                                  names("r", count)))),
              ("v", tensors(*carried))]
    if more is not None:
        inputs.append(("c", tensors(*more)))
    if dropped:
        inputs = inputs[:-dropped]
    return operator(version, "while_loop", inputs, names("y", count),
                    names("x", count + len(beside)))


def loops(to):
    clause = ["7.4.7", "7.4.4"]
    for count in MANY:
        for low, high in crossing("5.3", "2.1"):
            to.pair("step-loop-%d" % count, low, high, (loop(low, count), loop(high, count, [])),
                    clause, "%d are carried." % count)
    for low, high in (("2.1", "5.1"), ("5.3", LATEST)):
        to.pair("step-loop-same", low, high, (loop(low, 2, None if high == "5.1" else []),
                                              loop(high, 2, None if high == "5.1" else [])),
                clause, "Both have the same arguments.")
    for low, high in crossing("5.3", "2.1"):
        to.way("step-loop-later", low, high, (loop(low, 2, []), loop(high, 2, [])), clause,
               "The later form, before it was one.")
        to.way("step-loop-early", high, low, (loop(high, 2), loop(low, 2)), clause,
               "Three arguments, where four are the form.")
        name = to.name("step-loop-2", high, low)
        to.refused("step-loop-more", name, loop(high, 2, ["x2"]), "EP_MIGRATE_VALUE", NODES + "0",
                   "What is not carried has no place.", also=["7.4.7"])
        number = changed(loop(high, 2, []), lambda data: data["graph"]["nodes"][0]["inputs"][3]
                         .update(arg={"as_int": 3}))
        to.refused("step-loop-number", name, number, "EP_MIGRATE_VALUE", NODES + "0",
                   "The fourth is no list.", also=["7.4.7"])


def mapping(version, mapped, others, number=None, late=None):
    """map_impl in the form of the version: over some, beside others."""
    over, beside = names("x", mapped), names("t", others)[::-1]
    body = made(names("a", mapped + others), ["b0"])
    inputs = [("f", as_graph("body_graph_0", body))]
    if late if late is not None else since(version, LISTED):
        inputs += [("f", tensors(*over)), ("f", tensors(*beside))]
    else:
        inputs += [("f", {"as_int": mapped if number is None else number})]
        inputs += [("f", tensor(name)) for name in over + beside]
    return operator(version, "map_impl", inputs, ["y0"], over + sorted(beside))


def maps(to):
    clause = ["7.4.7", "7.4.4"]
    for mapped in MANY:
        for others in MANY:
            for low, high in crossing(LISTED, "2")[:4 if (mapped, others) == (2, 1) else 2]:
                to.pair("step-map-%d-%d" % (mapped, others), low, high,
                        (mapping(low, mapped, others), mapping(high, mapped, others)), clause,
                        "%d are mapped, %d are not." % (mapped, others))
    for low, high in crossing(LISTED, "2"):
        name = [to.name("step-map-2-1", *way) for way in ((low, high), (high, low))]
        for number, why in ((-1, "Less than none."), (4, "One more than there are.")):
            to.refused("step-map-of%+d" % number, name[0], mapping(low, 2, 1, number),
                       "EP_MIGRATE_VALUE", NODES + "0", why, also=["7.4.7"])
        for place in (2, 3, 4):
            wrong = mapping(low, 2, 1)
            wrong.data["graph"]["nodes"][0]["inputs"].insert(place, {
                "name": "f", "arg": {"as_int": 7}, "kind": None})
            to.refused("step-map-number-%d" % place, name[0], wrong, "EP_MIGRATE_VALUE",
                       NODES + "0", "An argument that is no tensor.", also=["7.4.7"])
        wrong = mapping(high, 2, 1)
        wrong.data["graph"]["nodes"][0]["inputs"].append(
            {"name": "f", "arg": {"as_int": 7}, "kind": None})
        to.refused("step-map-behind", name[1], wrong, "EP_MIGRATE_VALUE", NODES + "0",
                   "An argument that is no list.", also=["7.4.7"])
        to.way("step-map-later", low, high, (mapping(low, 2, 1, late=True), mapping(high, 2, 1)),
               clause, "The later form, before it was one.")
        to.way("step-map-early", high, low, (mapping(high, 2, 1, late=False), mapping(low, 2, 1)),
               clause, "The earlier form, when it was none any more.")


# ---- 7.4.4: what is returned ------------------------------------------------------------


def strict(version, count, outputs=None, single=None, target="strict_mode"):
    draft = operator(version, target, [
        ("", as_graph("g_0", made(["a0"], names("b", count)))), ("", tensors("x0"))],
        names("y", count), ["x0"])
    if outputs is not None:
        draft.data["graph"]["nodes"][0]["outputs"] = outputs
        draft.data["graph"]["nodes"][0][RETURNS] = single
    return draft


def mixed(version, target="wrap"):
    """Several, of which one is no tensor: of an operator whose graph is not judged."""
    draft = strict(version, 2, target=target)
    draft.data["graph"]["nodes"][0]["outputs"] = [tensor("y0"), sym_int("n"), tensor("y1")]
    return draft.table("sym_int_values", n=4)


def returns(to):
    clause = ["7.4.4"]
    for count in MANY:
        for bound in (LISTED, SINGLE):
            for low, high in crossing(bound, "2.1")[:3]:
                to.pair("step-returns-%d" % count, low, high,
                        (strict(low, count), strict(high, count)), clause,
                        "A tuple of %d tensors." % count)
    for bound in (LISTED, SINGLE):
        for low, high in crossing(bound, "7.3" if bound == SINGLE else "2.1"):
            one = [tensor("y0")]
            to.pair("step-returns-tensor", low, high, (
                strict(low, 1, one), strict(high, 1, one, True if since(high, SINGLE) else None)),
                clause, "A tensor by itself.")
            if since(high, "7.3") and since(low, "7.3"):
                to.pair("step-returns-mixed", low, high, mixed(LATEST), clause,
                        "Several that are not all tensors.")
    for low, high in ((before(LISTED).name, LISTED), (before(SINGLE).name, SINGLE)):
        for count in MANY:
            values = names("y", count)
            draft = plain(LATEST, call("mylib.f.default", {"x": tensor("x")}, tensors(*values)))
            draft.tensors(**metas(*values))
            to.pair("step-returns-other-%d" % count, low, high, kinds(draft, None), clause,
                    "A list of an operator that takes no graphs.")


# ---- 7.4.5: modules that are called several times ----------------------------------------


def chain(count):
    """x, v0, v1, ...: each of the one before."""
    draft = Draft(header={"torch_version": "<=2.4"}).take(user_input(tensor("x")))
    values = ["x", *names("v", count)]
    draft.tensors(**metas(*values))
    for one, other in zip(values, values[1:]):
        draft.node(call("aten.relu.default", {"self": tensor(one)}, tensor(other)))
    return kinds(draft.give(user_output(tensor(values[-1]))), None), values


def parts(values, calls, size):
    """For each call, so many values, no two calls the same."""
    return [[tensor(values[(call * size + i) % len(values)]) for i in range(size)]
            for call in range(calls)]


def called(calls, inputs, outputs, apart):
    """A module between two others, with an entry in all or one for each call."""
    draft, values = chain(9)
    takes, gives = parts(values, calls, inputs), parts(values[::-1], calls, outputs)
    if not apart:
        takes, gives = [sum(takes, [])], [sum(gives, [])]
    specs = {"in_spec": arguments(inputs), "out_spec": leaves(outputs)}
    modules = [entry("m" + ("@%d" % i if i else ""), taken, given, **specs)
               for i, (taken, given) in enumerate(zip(takes, gives))]
    draft.data["modules"] = [entry("first", [tensor("x")], [tensor("v0")]), *modules, entry("last")]
    return draft


def modules(to):
    clause = ["7.4.5", "5.5.5", "5.5.6"]
    for low, high in (("7.4", "8.1-a"), ("1", LATEST)):
        for calls in (1, 2, 3):
            for inputs in (0, 1, 2, 3):
                for outputs in (0, 1, 2):
                    if calls > 1 and inputs == outputs == 0:
                        continue
                    if low == "1":
                        continue
                    to.pair("step-calls-%d-%d-%d" % (calls, inputs, outputs), low, high,
                            (called(calls, inputs, outputs, False),
                             called(calls, inputs, outputs, True)), clause,
                            "%d calls, with %d and %d values." % (calls, inputs, outputs))
    name = to.name("step-calls-2-1-1", "7.4", "8.1-a")
    for label, inputs, outputs, why in (
            ("outputs", 2, 3, "Two calls by the inputs, three results."),
            ("inputs", 1, 2, "Two calls by the results, one input."),
            ("more", 3, 2, "Three calls by the inputs, two results.")):
        draft = called(2, 1, 1, False)
        signature = draft.data["modules"][1]["signature"]
        signature.update(inputs=[tensor("v%d" % i) for i in range(inputs)],
                         outputs=[tensor("v%d" % i) for i in range(outputs)])
        to.refused("step-calls-uneven-" + label, name, draft, "EP_MIGRATE_VALUE", MODULES + "2",
                   why, also=["7.4.5"])
    later(to)


def entries(*each):
    """(name, value, ...): an entry each, of one input and one output a call."""
    draft, _ = chain(9)
    draft.data["modules"] = [entry(name, [tensor(value) for value in values],
                                   [tensor("v%d" % (int(value[1]) + 1)) for value in values],
                                   in_spec=arguments(1), out_spec=leaves(1))
                             for name, *values in each]
    return draft


def later(to):
    """Later calls, wherever they stand and however their numbers are written."""
    clause = ["7.4.5"]
    rows = (
        ("two", [("b@1", "v5"), ("a@2", "v2"), ("a", "v0"), ("b", "v4"), ("a@1", "v1"),
                 ("b@2", "v6")], [("a", "v0", "v1", "v2"), ("b", "v4", "v5", "v6")]),
        ("turned", [("b", "v4"), ("a@1", "v1"), ("b@2", "v6"), ("a", "v0"), ("b@1", "v5"),
                    ("a@2", "v2")], [("b", "v4", "v5", "v6"), ("a", "v0", "v1", "v2")]),
        ("long", [("a@100", "v4"), ("a@9", "v1"), ("a@10", "v2"), ("a", "v0"), ("a@99", "v3")],
         [("a", "v0", "v1", "v2", "v3", "v4")]),
        ("zeros", [("a", "v0"), ("a@001", "v3"), ("a@0", "v1"), ("a@1", "v4"), ("a@00", "v2"),
                   ("a@0002", "v5")], [("a", "v0", "v1", "v2", "v3", "v4", "v5")]),
        ("none", [("a", "v0"), ("a@", "v1"), ("a@x", "v2"), ("a@1x", "v3"), ("a@-1", "v4"),
                  ("@1", "v5"), ("a@1.b", "v6")],
         [("a", "v0"), ("a@", "v1"), ("a@x", "v2"), ("a@1x", "v3"), ("a@-1", "v4"),
          ("a@1.b", "v6")]),
    )
    for label, high_rows, low_rows in rows:
        if label == "none":  # the program itself has no later call: its entry is the root
            high_rows = [row for row in high_rows if row[0] != "@1"]
        for low, high in (("7.4", "8.1-a"), ("2", LATEST)):
            to.way("step-later-" + label, high, low, (entries(*high_rows), entries(*low_rows)),
                   clause, "Later calls, by their numbers." if label != "none"
                   else "Names that no later call has.")
    escaped(to)


def escaped(to):
    """Numbers that are the same, where a name is written with an escape: no byte behind it is
    one of the number."""
    each = [("a", "v0"), ("a@1", "v2"), ("a@01", "v1"), ("a@001", "v3")]
    for name in ("a@1", "a@01", "a@001"):
        high = written(LATEST, entries(*each)).replace('"%s"' % name, '"%s"' % name.replace(
            "@", "\\u0040"))
        to.way("step-later-escaped-%d" % len(name), LATEST, "7.4",
               (high, written("7.4", entries(("a", "v0", "v2", "v1", "v3")))), ["7.4.5"],
               "One number three times, and an escape in a name.")


# ---- 7.4.1: the signature -----------------------------------------------------------------


def signed(parameters, buffers, users, mutated, gives):
    """So many of each, none like another; the nodes make what is given."""
    draft = Draft(header={"torch_version": "<=2.4"})
    draft.take(*[parameter(name, "w." + name) for name in names("p", parameters)[::-1]])
    draft.take(*[buffer(name, "s." + name) for name in names("b", buffers)[::-1]])
    draft.take(*[user_input(tensor(name)) for name in names("x", users)[::-1]])
    results = names("t", mutated + gives)
    draft.node(*[call("mylib.make.default", {}, tensor(name)) for name in results])
    values = names("p", parameters) + names("b", buffers) + names("x", users) + results
    draft.tensors(**metas(*values))
    draft.give(*[spec("buffer_mutation", name, buffer_name="s.b%d" % i)
                 for i, name in enumerate(results[:mutated])])
    return kinds(draft.give(*[user_output(tensor(name)) for name in results[mutated:]]), None)


def signatures(to):
    for low, high in (("1", "1-2023-12"), ("1-2023-08", LATEST)):
        for counts in ((0, 0, 1, 0, 1), (1, 0, 0, 0, 1), (0, 1, 0, 1, 0), (2, 1, 2, 1, 1),
                       (1, 2, 3, 2, 2), (3, 3, 1, 3, 3), (2, 2, 2, 0, 2)):
            to.pair("step-signature-%d-%d-%d-%d-%d" % counts, low, high, signed(*counts), ["7.4.1"],
                    "%d parameters, %d buffers, %d inputs; %d mutations, %d results." % counts)
        for count in (1, 2, 3):
            to.pair("step-gradients-%d" % count, low, high, joint(count), ["7.4.1"],
                    "A loss behind a result, and %d gradients of each kind." % count)


def joint(count):
    """A result, a loss, and gradients; as dicts and as specs."""
    draft = signed(count, 0, count, 0, 2 * count + 2)
    results = names("t", 2 * count + 2)
    high, low = copy.deepcopy(draft), copy.deepcopy(draft)
    to_parameters = {results[2 + i]: "w.p%d" % i for i in range(count)}
    to_users = {results[2 + count + i]: "x%d" % (count - 1 - i) for i in range(count)}
    high.data["output_specs"] = [
        user_output(tensor("t0")), spec("loss_output", "t1"),
        *[spec("gradient_to_parameter", name, parameter_name=of)
          for name, of in to_parameters.items()],
        *[spec("gradient_to_user_input", name, user_input_name=of)
          for name, of in to_users.items()]]
    low.data["output_specs"] = [user_output(tensor("t0")), user_output(tensor("t1"))]
    low.data["backward"] = {"gradients_to_parameters": to_parameters,
                            "gradients_to_user_inputs": to_users, "loss_output": "t1"}
    return low, high


def vectors(suite):
    to = Migrations(suite)
    for part in (loops, maps, returns, modules, signatures):
        part(to)
