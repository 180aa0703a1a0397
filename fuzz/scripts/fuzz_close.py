"""The end of a campaign: every corpus merged afresh, every crash triaged and made
smaller, coverage measured, the report written. It can be run again at any time.
"""

import json
import os
import shutil
import time

import fuzz_build
import fuzz_coverage
import fuzz_engine
import fuzz_logs
import fuzz_nightly
import fuzz_process
import fuzz_project
import fuzz_report
import fuzz_round
import fuzz_triage

TRIAGE_SECONDS = 600  # for looking at crashes, at the end of a night


def night(campaign, chosen, say):
    """A whole night: 0 where nothing new was found, else 1."""
    campaign.after_round = lambda: publish(campaign, None)
    try:
        campaign.begin()
        campaign.plant()
        campaign.run()
    except BaseException:
        for slot in campaign.slots:
            slot.process.kill()
        raise
    state = campaign.state
    state.rows["active"] = campaign.setup.active()
    state.rows["finished"] = not campaign.setup.stopping()
    state.save()
    return close(campaign, chosen, say, brief=campaign.setup.stopping())


def minimal(campaign, target, say):
    """Merge a target's corpus into a fresh one, which takes its place."""
    folder = campaign.folders.corpus(target.name)
    before = fuzz_round.count_inputs(folder)
    fresh, log = folder + ".fresh", campaign.folders.log(target.name, "merge")
    if not before or fuzz_build.merger(campaign.setup.out, target) is None:
        return
    shutil.rmtree(fresh, ignore_errors=True)
    os.makedirs(fresh)
    open(log, "wb").close()
    scratch = campaign.folders.at("rounds", "merge")
    os.makedirs(scratch, exist_ok=True)
    fuzz_process.run(fuzz_engine.merge(campaign.setup.out, target, fresh, [folder],
                                       scratch, log, 900))
    shutil.rmtree(scratch)
    merged = fuzz_logs.merge(fuzz_round.text_of(log))
    fuzz_process.truncate_log(log)
    if not merged.whole or not os.listdir(fresh):
        shutil.rmtree(fresh)
        campaign.state.note(f"{target.name}: the last merge did not end; its corpus is as it was")
        return
    fuzz_nightly.exchange(folder, fresh)
    row = campaign.state.rows["targets"].setdefault(target.name, {"base": 0, "edges": 0})
    row["files"], row["edges"] = fuzz_round.count_inputs(folder), merged.edges or row["edges"]
    say(f"{target.name:10} merged: {before} inputs to {row['files']}, {row['edges']} edges")


def untriaged(campaign):
    """Crashes without a verdict, one of each target in turn."""
    waiting = []
    for place, target in enumerate(campaign.setup.targets):
        paths = [path for path in fuzz_project.files_under(campaign.folders.crashes(target.name))
                 if not path.endswith(".json")
                 and not fuzz_triage.load_json(path + ".json").get("finding")]
        waiting += [(turn, place, path) for turn, path in enumerate(paths)]
    return [path for _, _, path in sorted(waiting)]


def triage(campaign, chosen, say):
    """All crashes that nobody has looked at; then for each finding whether it is
    still there, and if so a small input."""
    end, left = time.monotonic() + TRIAGE_SECONDS, 0
    for path in untriaged(campaign):
        if campaign.setup.signals > 1 or time.monotonic() > end:
            left += 1
        else:
            fuzz_triage.triage(campaign.setup, path, say)
    if left:
        campaign.state.note(f"{left} inputs were put aside that nobody has looked at; "
                            "scripts/fuzz merge goes on with them")
    for note in fuzz_triage.findings(campaign.folders):
        place = campaign.folders.at("findings", note["key"])
        if campaign.setup.signals > 1:
            return
        fuzz_triage.recheck(campaign.setup, place)
        if not note["minimized"] and fuzz_triage.standing(fuzz_triage.load_json(
                os.path.join(place, "finding.json"))) == "open":
            fuzz_triage.minimize(campaign.setup, place, chosen.minimize)


def unreproduced(campaign):
    """How many inputs that engines put aside break nothing when run alone."""
    count = 0
    for target in campaign.setup.targets:
        for path in fuzz_project.files_under(campaign.folders.crashes(target.name)):
            if path.endswith(".json"):
                count += fuzz_triage.load_json(path).get("finding") == "unreproduced"
    return count


def coverage(campaign, chosen, say):
    """Coverage by the corpora; None where it was not wanted or not possible."""
    if chosen.no_coverage:
        return None
    try:
        return fuzz_coverage.measure(campaign.setup.out, campaign.setup.targets,
                                     campaign.folders.at("corpus"),
                                     campaign.folders.at("report", "coverage"), say)
    except fuzz_project.Trouble as trouble:
        campaign.state.note(f"no coverage: {trouble}")
        return None


def trend(path, row):
    """Add a night to the trend, or put it in the place of what it had said;
    returns all of them."""
    rows = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file if line.strip()]
    rows = [each for each in rows if each["night"] != row["night"]] + [row]
    fuzz_project.write_atomically(path, "".join(json.dumps(each) + "\n" for each in rows))
    return rows


def close(campaign, chosen, say, brief=False):
    """Merge, triage, coverage, report; `brief` after a signal: only the report."""
    if not brief:
        for target in campaign.setup.targets:
            minimal(campaign, target, say)
        triage(campaign, chosen, say)
    covered = None if brief else coverage(campaign, chosen, say)
    summary = publish(campaign, covered)
    say(fuzz_report.text(summary))
    say(f"report: {campaign.folders.at('report', 'index.html')}")
    return 1 if summary["totals"]["findings"] else 0


def publish(campaign, covered):
    """The page and its figures, as things stand."""
    names = {target.name for target in campaign.setup.targets}
    found = [note for note in fuzz_triage.findings(campaign.folders) if note["target"] in names]
    summary = fuzz_report.summarize(campaign.state.rows, campaign.setup.targets, found, covered)
    summary["unreproduced"] = unreproduced(campaign)
    summary["logs"] = sorted(os.listdir(campaign.folders.at("logs")))
    rows = trend(campaign.folders.at("trend.jsonl"), fuzz_report.trend_row(summary))
    summary["trend"], summary["written"] = rows, int(time.time())
    campaign.state.save()
    write_report(campaign.folders, summary)
    return summary


def write_report(folders, summary):
    fuzz_project.write_atomically(folders.at("report", "summary.json"),
                                  json.dumps(summary, indent=1) + "\n")
    fuzz_project.write_atomically(folders.at("report", "index.html"), fuzz_report.page(summary))
