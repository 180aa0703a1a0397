"""What differs between two readings of a document, and what stands where in one."""

POINTER = 255  # bytes of a pointer that an implementation need not cut


def first_change(old, new):
    """(what, old, new, key) of the first place where two values differ, in the
    order of the new one; None if they are the same.  what: value, removed,
    added or renamed; new is the value, or the object whose member it is."""
    if old.kind != new.kind or old.text != new.text:
        return "value", old, new, None
    if old.kind == "object":
        return first_member(old, new)
    for i, item in enumerate(new.items):
        if i >= len(old.items):
            return "value", None, item, None
        found = first_change(old.items[i], item)
        if found:
            return found
    return None if len(new.items) == len(old.items) else ("shorter", old, new, None)


def first_member(old, new):
    before, after = ([key for key, _, _ in each.members] for each in (old, new))
    gone = [key for key in before if key not in after]
    come = [key for key in after if key not in before]
    known = {key: value for key, _, value in old.members}
    for key, _, value in new.members:
        if key in come:
            return ("renamed" if gone else "added"), old, new, key
        found = first_change(known[key], value)
        if found:
            return found
    return ("removed", old, new, gone[0]) if gone else None


def every(root):
    """All values, a value before what is in it."""
    todo = [root]
    while todo:
        value = todo.pop()
        yield value
        todo.extend(reversed([each for _, _, each in value.members] + value.items))


def innermost(root, offset):
    """The innermost value that holds a byte, and the innermost array or object."""
    value, container = root, root
    while True:
        if value.kind in ("object", "array"):
            container = value
        parts = [each for _, _, each in value.members] + value.items
        inside = [each for each in parts if each.start <= offset < each.end]
        if not inside:
            return value, container
        value = inside[0]
