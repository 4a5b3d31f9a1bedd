"""The board of a battle under way: both crews as cards, their possible actions, and the dice to roll.

The `draft` commands ask the questions and decide the answers, as on the pages that ask question by question;
this page arranges them around the crews.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import BattleUnderWay, CampaignState
from tracker.campaign.steps import rulebook_in_force
from tracker.campaign.steps.recovery_and_convalescence import why_not_available
from tracker.documents.ids import id_meant
from tracker.documents.wizard import unfinished, writing
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import battle_forms, post_battle_forms
from tracker.drafts.refusals import BoardMovedOn, DraftMovedOn
from tracker.errors import BadInput
from tracker.reports import people
from tracker.reports.battle import gang_conditions, standing_models
from tracker.reports.names import Names
from tracker.reports.sentences import sentence
from tracker.rules import loader
from tracker.server.pages import board_actions, post_battle, rounds, step_forms, table
from tracker.server.pages.board_actions import SHOOT, Action
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.operation_fields import armoury_of
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import game_of, here
from tracker.service.command_handler import RecordResult
from tracker.service.repository import RemoteRequest

_TONES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("unhurt", "unharmed"), "good"),
    **dict.fromkeys(("Out of Action", "fled", "Seriously Injured", "Down", "Wrecked"), "bad"),
}
"""How states look at a glance; others warn."""
LINES: Final = "lines"
"""The field of answers that are given together, one on a line."""


class NothingAnswered(BadInput):
    """Nothing was chosen. Tap an answer first."""


class BattleWithoutName(BadInput):
    """A battle needs a name with letters or digits in it, such as Night Raid."""


class CrewsNeeded(BadInput):
    """A battle needs two {game.gangs} or more, each with somebody in its crew. Tick the {game.gangs} that
    fight, then who of them.
    """


class StandingMark(NamedTuple):
    """One thing that is so of somebody, and how bad that is."""

    words: str
    tone: str


class CrewCard(NamedTuple):
    """A fighter or vehicle of a crew, as they stand."""

    id: str
    name: str
    kind: str
    marks: tuple[StandingMark, ...]
    is_out: bool
    first: list[Action]
    more: list[Action]
    suffers: list[Action]
    is_vehicle: bool = False


class StoryEntry(NamedTuple):
    """An entry of the battle in words."""

    did: str
    outcome: list[str]
    dice: list[str]


class CrewBoard(NamedTuple):
    """A gang at the table."""

    gang: str
    name: str
    notes: tuple[str, ...]
    cards: list[CrewCard]


# --- a battle begins ---------------------------------------------------------------------------------------


def new_battle(request: PageRequest) -> Mapping[str, Any]:
    """What a battle needs before the first shot, on one page."""
    state = request.boards.state_at(request.known_campaign)
    played, _ = request.boards.battles(request.known_campaign)
    rulebook = rulebook_in_force(state, loader.rulebook)
    gangs = [
        {
            "gang": gang.gang,
            "name": gang.name,
            "ends": state.after_battle.get(gang.gang),
            "fighters": [
                {
                    "fighter": fighter.fighter,
                    "name": fighter.name,
                    "kind": fighter.kind,
                    "why_not": (why_not_available(fighter, rulebook) or ("",))[0],
                }
                for fighter in gang.enlisted.values()
            ],
        }
        for gang in state.gangs.values()
    ]
    return {
        "gangs": gangs,
        "scenarios": list(dict.fromkeys(row["scenario"] for row in reversed(played))),
        "today": datetime.now(UTC).date().isoformat(),
        "usual_name": f"Battle {state.battle_number}",
    }


def begin(request: PageRequest, filled: FormValues) -> Redirect:
    """Begin the battle: the draft with all of its head."""
    state = request.boards.state_at(request.known_campaign)
    battle = _id_of(filled.get("name"), state)
    named = [gang for gang in state.gangs if gang in filled.all("gang")]
    crews = {gang: filled.all(f"crew.{gang}") for gang in named}
    if len(named) < 2 or not all(crews.values()):
        raise CrewsNeeded
    day = filled.get("date") or date.today().isoformat()  # noqa: DTZ011  # the table's own day
    answers = [battle, filled.get("scenario"), day]
    answers += [", ".join(named)] if len(state.gangs) > 2 else []
    answers += [*_crews_said(state, crews)]
    begun = request.do("draft begin", sending=RemoteRequest(), kind="battle", answers=answers)
    return Redirect(board_path(request, table.data_of(begun)["draft"]["draft"]))


def _id_of(name: str, state: CampaignState) -> str:
    """What a battle of that name is called in addresses: 'Night Raid' is night-raid, then night-raid-2."""
    first = id_meant(name)
    if not first:
        raise BattleWithoutName
    battle, number = first, 2
    while battle in state.battles:
        battle, number = f"{first}-{number}", number + 1
    return battle


def _crews_said(state: CampaignState, crews: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Who fights, as the questions ask for it: everybody who can, or gang by gang."""
    rulebook = rulebook_in_force(state, loader.rulebook)
    able = {
        gang: [
            fighter.fighter
            for fighter in state.gangs[gang].enlisted.values()
            if why_not_available(fighter, rulebook) is None
        ]
        for gang in crews
    }
    if all({*crews[gang]} == {*able[gang]} for gang in crews):
        yield "y"
        return
    yield "n"
    for gang in crews:
        yield ", ".join(crews[gang])


# --- the board ---------------------------------------------------------------------------------------------


def board(request: PageRequest) -> Mapping[str, Any]:
    """The battle as it stands, with what is asked now."""
    given = dict(table.draft(request))
    given["path"] = board_path(request, request.path["draft"])
    given["in_words"] = f"{table.drafts_path(request)}/{quote(request.path['draft'])}"
    state = request.boards.state_at(request.known_campaign)
    given |= {
        "crews": [],
        "round": None,
        "others": [],
        "story": [],
        "symbols": [],
        "markers": [],
        "reactions": [],
        "anytime": [],
        "begun": bool(request.tracker.drafts.draft(request.known_campaign, request.path["draft"]).lines),
    }
    given["steps"], given["nothing_to_buy"] = [], False
    asked, text = given["asked"], _text(given)
    given["entries"] = len(writing.plain_of(text, file="").get("entries") or ())
    given["battle"] = writing.plain_of(text, file="")
    if given["draft"]["kind"] == "post-battle":
        given["nothing_to_buy"] = armoury_of(request) is None
        so_far, document = given["so_far"], str(given["document"])
        offers = text and post_battle.offers_forms(request, asked)
        at = step_forms.table_now(request, document, state) if offers else None
        given["steps"] = post_battle.checklist(document, so_far, state, at, request.typed)
        given["anytime"] = step_forms.of_step(at, None, request.typed) if at is not None else []
        given["story"] = [StoryEntry("", [], []), *(StoryEntry(line, [], []) for line in so_far)]
        if asked is not None and asked["shape"] == "menu":
            game = game_of(request)
            given["others"] = [
                Action(kind, step_forms.called(kind, game), post_battle_forms()[kind].about_in(game))
                for kind in (option["value"] for option in asked["options"])
                if kind not in {made.kind for made in given["anytime"]}
            ]
        return given
    if asked is None or not text:
        return given
    played = _played(request, text, state)
    now, names = played.state, Names.of_state(played.state)
    given["story"] = [_told(entry, names) for entry in played.entries]
    assert now.under_way is not None, "a battle without its end is under way"
    context = Context(state=now, book=loader.book(now.book), gangs=(*now.under_way.crews,))
    openings = asked["openings"] if asked["shape"] == "menu" else []
    given["symbols"] = [*_symbols(context)]
    given["markers"] = [*board_actions.markers(context)]
    given["crews"] = [*_crews(context, now.under_way, openings)]
    if asked["shape"] == "menu":
        kinds = {opening["kind"] for opening in openings}
        entries = given["battle"].get("entries") or ()
        given["reactions"] = [*board_actions.reactions(context, played.entries[-1][0])]
        given["round"] = rounds.round_now(entries, openings, asked["options"], _called(now))
        given["others"] = [
            Action(
                option["value"], board_actions.does(option["value"]), battle_forms()[option["value"]].about
            )
            for option in asked["options"]
            if option["value"] not in kinds | {rounds.ENDS} and not rounds.is_of_end_phase(option["value"])
        ]
    return given


def _called(state: CampaignState) -> dict[str, str]:
    """What gangs, fighters and vehicles are called, by their ids."""
    called = {gang.gang: gang.name for gang in state.gangs.values()}
    for gang in state.gangs.values():
        called |= {one: fighter.name for one, fighter in gang.enlisted.items()}
        called |= {one: vehicle.name for one, vehicle in gang.vehicles.items()}
    return called


def _symbols(context: Context) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The faces of dice that show no pips, for a phone without a network: what an attack rolls, by die."""
    for purpose in ("firepower", "injury"):
        known = context.book.purposes.get(purpose)
        if known is not None and known.special is not None:
            yield purpose, tuple(dict.fromkeys(known.special.symbols))


def _text(given: Mapping[str, Any]) -> str:
    """What was settled of the report; nothing before its head is."""
    text, _ = writing.draft_of(str(given["document"]), file="")
    return text if text.strip() else ""


def _told(entry: Sequence[RecordedEvent], names: Names) -> StoryEntry:
    """What was done, what came of it, and the dice by which it did."""
    header, *events = (recorded.event for recorded in entry)
    outcome: list[str] = []
    dice: list[str] = []
    for event in events:
        listed = dice if isinstance(event, (records.RollMade, records.RuleNoted)) else outcome
        listed.append(sentence(event, names, whose=True))
    did = sentence(header, names)
    return StoryEntry(did, [line for line in outcome if did != f"stated: {line}"], dice)


def _played(request: PageRequest, text: str, state: CampaignState) -> RecordResult:
    """The campaign after everything that stands there, but for the end of the battle."""
    said = writing.plain_of(text, file="")
    if "result" in said:
        text = writing.without_keys(text, "result", "wrap_up", file="")
    decisions = unfinished.decisions(text, file="", purposes=loader.book(state.book).purposes)
    commands = request.tracker.commands
    return commands.play(request.known_campaign, decisions, dry_run=True, explained=False)


def _crews(
    context: Context, battle: BattleUnderWay, openings: Sequence[Mapping[str, Any]]
) -> Iterator[CrewBoard]:
    can: dict[str, list[str]] = {}
    for opening in openings:
        for option in opening["options"]:
            can.setdefault(option["value"], []).append(opening["kind"])
    for gang in battle.crews:
        notes = [words for words, gangs in gang_conditions(battle) if gang in gangs]
        cards = [
            _card(context, battle, model, words, can)
            for model, words, _ in standing_models(context.state, gang)
        ]
        yield CrewBoard(gang, context.state.gangs[gang].name, tuple(notes), cards)


def _card(
    context: Context,
    battle: BattleUnderWay,
    model: str,
    words: Sequence[str],
    can: Mapping[str, Sequence[str]],
) -> CrewCard:
    fighter, vehicle = context.state.fighter(model), context.state.vehicle(model)
    known = fighter or vehicle
    assert known is not None, "who fights is known"
    combatant = battle.combatants.get(model)
    is_out = combatant.out_of_action or combatant.fled if combatant else battle.vehicles[model].wrecked
    marks = tuple(StandingMark(word[:1].upper() + word[1:], _TONES.get(word, "warn")) for word in words)
    first, more, suffers = board_actions.actions_of(context, model, can.get(model, ()))
    if vehicle is not None and SHOOT in can.get(vehicle.crew, ()):
        first = [*board_actions.attacks(context, SHOOT, vehicle.crew, from_vehicle=model), *first]
    is_vehicle = vehicle is not None
    return CrewCard(model, known.name, known.kind, marks, is_out, first, more, suffers, is_vehicle)


# --- what is tapped ----------------------------------------------------------------------------------------


def answer(request: PageRequest, filled: FormValues) -> Redirect:
    """Answer what the board asked, with one tap: perhaps several questions at once."""
    lines = [""] if "pass" in filled else filled.get(LINES).replace("\r", "").split("\n")
    if lines == [""] and "pass" not in filled:
        said = table.said_in(filled)
        if not said:
            raise NothingAnswered
        lines = [", ".join(said)]
    first, *then = lines
    return _changed(request, "draft answer", filled, {"answer": first, "then": then})


def undo(request: PageRequest, filled: FormValues) -> Redirect:
    """Take the last answer back, this whole entry, or the entry of that number."""
    return _changed(request, "draft undo", filled, table.taken_back(filled))


def discard(request: PageRequest, filled: FormValues) -> Redirect:
    """Throw the battle away."""
    _changed(request, "draft discard", filled, {})
    return Redirect(table.drafts_path(request))


def record(request: PageRequest, filled: FormValues) -> Redirect:
    """Record the battle, and show it."""
    shown = request.data("draft show", draft=request.path["draft"])
    battle = writing.plain_of(str(shown["document"]), file="").get("battle")
    table.record(request, filled)
    state = request.boards.state_at(request.known_campaign)
    known = state.battles.get(str(battle))
    return Redirect(here(request, f"/battles/{known}" if isinstance(known, int) else "/battles"))


def propose(request: PageRequest, filled: FormValues) -> Redirect:
    """Send it in, to be confirmed."""
    return table.propose(request, filled)


def _changed(request: PageRequest, command: str, filled: FormValues, given: Mapping[str, Any]) -> Redirect:
    draft = request.path["draft"]
    try:
        request.do(command, sending=RemoteRequest(), draft=draft, revision=table.revision_of(filled), **given)
    except DraftMovedOn as moved:
        with people.named_by(request.tracker.name_on):
            raise BoardMovedOn(by=people.person(moved.by, moved.at)) from moved
    return Redirect(board_path(request, draft))


def board_path(request: PageRequest, draft: str) -> str:
    """Where a battle under way is played."""
    return f"{table.drafts_path(request)}/{quote(draft)}/board"
