"""The list of campaigns; a campaign's page, its gangs, and the changes between two points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tracker.reports import cards
from tracker.reports.page import Bars, Page, Part, Pictures, Row, in_form
from tracker.reports.people import TODAY
from tracker.server.pages.as_of import TimeChoice
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import without_ids

STORIES: Final = 3
"""The number of battles on the campaign's page."""
_FATES: Final = {
    "critical": "is critically injured: the Doc, or death",
    "capture_pending": "is Captured: an escape roll is to be made",
    "mutations_to_choose": "has a mutation to choose",
}

_DRAFTS: Final = {"battle": "A battle", "post-battle": "What follows a battle", "gang": "A gang"}


class TodoItem(NamedTuple):
    """A task that waits for somebody."""

    text: str
    path: str
    """The page for it, below the campaign's own."""


def home(request: PageRequest) -> Mapping[str, Any]:
    """The campaigns that the person may see."""
    return {
        "campaigns": request.data("campaign list")["campaigns"],
        "may_begin": request.caller is not None and request.may("campaign new"),
        "keeps_machine": _keeps_machine(request),
    }


def _keeps_machine(request: PageRequest) -> bool:
    """Whether the person keeps the machine, and so sees its page."""
    caller = request.caller
    return caller is not None and bool(caller.session) and request.tracker.people.keeps_machine(caller.actor)


def campaign(request: PageRequest) -> Mapping[str, Any]:
    """The state of the campaign, its latest battles, and the open tasks."""
    moment = TimeChoice.of(request)
    page = request.report("standings show", "html", **moment.given)
    standings = page.data()
    before = [battle for battle in moment.battles if moment.after is None or battle["number"] <= moment.after]
    last_battles = [battle for battle in reversed(before) if battle["status"] == "closed"][:STORIES]
    rules = request.data("policy list")
    titles = {(rule["policy"], rule["version"]): rule["title"] for rule in rules["available"]}
    last = len(before)
    return {
        "moment": moment,
        "standings": standings,
        "in_dispute": _in_dispute(standings),
        "pictures": _pictures(page),
        "stories": [_story(request, battle["battle"]) for battle in last_battles],
        "gang_names": {gang["gang"]: gang["name"] for gang in standings["gangs"]},
        "waiting": _waiting(request, moment.battles) if moment.is_now else (),
        "rules": [
            {**rule, "title": titles.get((rule["policy"], rule["version"]), rule["policy"])}
            for rule in rules["held"]
            if rule["until_battle"] is None or rule["until_battle"] > last + 1  # holds in the next battle
        ],
    }


def _story(request: PageRequest, battle: str) -> Mapping[str, Any]:
    """A battle's story from the present log, without names of people."""
    request.require("battle show")

    def written() -> Mapping[str, Any]:
        shown = request.data("battle show", battle=battle)
        about = {key: shown["battle"][key] for key in ("battle", "number", "scenario", "date", "winner")}
        return {"battle": about, "story": shown["story"]}

    return request.kept(f"story of {battle}", written)


def season(request: PageRequest) -> Mapping[str, Any]:
    """The campaign's timeline and charts."""
    told = request.report("campaign timeline", "html")
    standings = request.report("standings show", "html")
    dice = [part for part in _pictures(request.report("audit dice", "html")) if isinstance(part, Bars)]
    return {
        "chapters": list(reversed(told.data()["chapters"])),
        "pictures": [*_pictures(standings), *_pictures(told)],
        "dice": dice,
    }


def gangs(request: PageRequest) -> Mapping[str, Any]:
    """Every gang in brief."""
    moment = TimeChoice.of(request)
    return {"moment": moment, "gangs": request.data("roster show", **moment.given)["gangs"]}


def compare(request: PageRequest) -> Mapping[str, Any]:
    """The changes between two points."""
    battles, _state = request.boards.battles(request.known_campaign)
    points = [("now", "now")]
    for battle in reversed(battles):
        if battle["closed"] is not None:
            number = battle["number"]
            points.append((f"battle:{number}", f"at the end of battle {number}"))
            points.append((f"into:{number}", f"going into battle {number}"))
            points.append((f"entry:{battle['closed']['slot']}", f"as believed after battle {number}"))
    first = points[2][0] if len(points) > 2 else "now"
    before, after = request.query.get("from", first), request.query.get("to", "now")
    diff = request.data("roster diff", before=before, after=after) if len(points) > 1 else {"differences": []}
    roster = request.data("roster show")["gangs"]
    names = {gang["gang"]: gang["name"] for gang in roster}
    names |= {row["fighter"]: row["name"] for gang in roster for row in gang["fighters"]}
    groups: dict[tuple[str | None, str | None], list[Row]] = {}
    for change in diff["differences"]:
        groups.setdefault((change["gang"], change["fighter"]), []).append(without_ids(change))
    return {
        "points": points, "before": before, "after": after, "groups": list(groups.items()), "names": names,
    }  # fmt: skip


def _waiting(request: PageRequest, battles: Sequence[Row]) -> list[TodoItem]:
    waiting = [
        TodoItem(
            f"Battle {battle['number']} is under way: {battle['scenario']}.", f"/battles/{battle['battle']}"
        )
        for battle in battles
        if battle["status"] == "under_way"
    ]
    waiting += [
        TodoItem(
            f"Dispute {dispute['dispute']} waits for a ruling: {dispute['reason']}",
            f"/disputes/{dispute['dispute']}",
        )
        for dispute in request.data("dispute list", only_open=True)["disputes"]
    ]
    if request.may("draft list"):
        waiting += [
            TodoItem(
                f"{_DRAFTS[draft['kind']]} is being recorded, last by {draft['changed_by_name']}.",
                f"/record/{draft['draft']}{'' if draft['kind'] == 'gang' else '/board'}",
            )
            for draft in request.data("draft list")["drafts"]
        ]
    roster = request.data("roster show")["gangs"]
    if len(roster) == 1 and request.may("member invite"):
        waiting.insert(0, TodoItem("Invite players: nobody is here to fight yet.", "/members"))
    if request.may("battle proposals"):
        names = {gang["gang"]: str(gang["name"]) for gang in roster}
        waiting += [
            TodoItem(_of_a_report(report, names), f"/record#report-{report['proposal']}")
            for report in request.data("battle proposals")["proposals"]
        ]
    request.require("audit dice")
    waiting += [
        TodoItem(
            f"{cards.counted(dice, 'die', 'dice')} of {name}'s: nobody has said yet that they saw"
            f" {'it' if dice == 1 else 'them'} fall.",
            "/battles",
        )
        for name, dice in sorted(
            (request.tracker.name_on(who, TODAY), dice)
            for who, dice in request.boards.unwitnessed(request.known_campaign).items()
        )
    ]
    state = request.boards.state_at(request.known_campaign)
    waiting += [
        TodoItem(
            f"{state.gangs[gang].name}: nothing is recorded yet of what follows battle {after.number}."
            " Their next battle ends it.",
            f"/battles/{after.battle}",
        )
        for gang, after in state.after_battle.items()
        if not after.is_begun
    ]
    for gang in roster:
        waiting += _of_a_gang(gang)
    return waiting


def _of_a_report(report: Row, names: Mapping[str, str]) -> str:
    """A proposed report, and whom it waits for."""
    lacking = " and ".join(names.get(gang, gang) for gang in report["unconfirmed"])
    objecting = " and ".join(answer["name"] for answer in report["answers"] if answer["answer"] == "objected")
    called = str(report["battle"]).replace("-", " ").title()
    waits_for = f"{lacking} to confirm it" if lacking else "an Arbitrator to record it"
    return (
        f"{report['made_by_name']} proposed the report of {called}: it waits for {waits_for}"
        f"{f', and there is an objection by {objecting}' if objecting else ''}."
    )


def _of_a_gang(gang: Row) -> list[TodoItem]:
    path = f"/gangs/{gang['gang']}"
    alive = [row for row in gang["fighters"] if row["standing"] == "enlisted" and row["gang"] == gang["gang"]]
    waiting = [
        TodoItem(f"{row['name']} ({gang['name']}) {words}.", f"/fighters/{row['fighter']}")
        for row in alive
        for fate, words in _FATES.items()
        if row.get(fate)
    ]
    waiting += [
        TodoItem(f"{row['name']} ({gang['name']}) is held captive.", f"/fighters/{row['fighter']}")
        for row in alive
        if row["held_by"] is not None
    ]
    if (unspent := sum(row["experience"] for row in alive)) > 0:
        most = max(alive, key=lambda row: row["experience"])
        waiting.append(
            TodoItem(
                f"{gang['name']}: {unspent} XP unspent, {most['experience']} of it {most['name']}'s.", path
            )
        )
    return waiting


def _in_dispute(standings: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The gangs and numbers that depend on open disputes."""
    return {
        (number["gang"], number["number"])
        for dependent in standings["resting"]
        for number in dependent["moved"]
        if number["fighter"] is None
    }


def _pictures(page: Page) -> list[Part]:
    return [
        part
        for block in page.blocks()
        for part in in_form(block, "html")
        if isinstance(part, Pictures | Bars)
    ]
