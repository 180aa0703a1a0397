"""Which role runs next on which target. Pure: time so far in, a choice out."""

SHORTEST, LONGEST = 15, 300  # seconds of a round


def pairs(targets, roles, can_run):
    """[(target, role, weight)], all of a role before the next one."""
    return [(target.name, name, role.weight * target.weight)
            for name, role in roles.items() for target in targets if can_run(target, name)]


def round_seconds(hours, jobs, count):
    """How long a round is, so that every pair has at least one if there is time."""
    if not count:
        return SHORTEST
    return int(min(LONGEST, max(SHORTEST, hours * 3600 * jobs * 0.9 / count)))


def choose(table, spent, running):
    """The pair that has had least of its share; of equals the one whose target
    nobody is working on, then the first of the table. None if all are running."""
    busy = [target for target, _ in running]
    best, choice = None, None
    for place, (target, role, weight) in enumerate(table):
        if (target, role) in running or weight <= 0:
            continue
        share = spent.get((target, role), 0.0) / weight
        rank = (round(share, 1), busy.count(target), place)
        if best is None or rank < best:
            best, choice = rank, (target, role)
    return choice


def with_running(spent, running, seconds):
    """What will have been spent when the rounds that run are over."""
    total = dict(spent)
    for pair in running:
        total[pair] = total.get(pair, 0.0) + seconds
    return total
