"""Judging: decides an exchange outside any campaign.

Makes a temporary battle of two gangs with the stated conditions, and asks `decide`. Knows no file and stores
no entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import field

from tracker.campaign import records
from tracker.campaign.card_notes import beyond_printed
from tracker.campaign.command_validation import (
    contradicted_claims,
    engaged_shooters,
    validate_new_command,
)
from tracker.campaign.conditions import Stated, in_condition, records_in_play
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import (
    Judgement,
    Library,
    decide,
    decide_keeping_spare_dice,
    rulebook_in_force,
)
from tracker.campaign.unknown_traits import unknown_traits
from tracker.dice import DiceLeftOver, DiceNeeded, DiceTray, Die
from tracker.errors import FilePosition, Refusal
from tracker.records import Record, names_of_fields
from tracker.rules.rulebook import Policy, Rulebook

BATTLE = "exchange"
LEFT_THE_BATTLE = (records.FighterOutOfPlay, records.FighterGone)
"""Refusals by which an exchange is passed over: a fighter in it has left the battle by then."""


class PlannedExchange(Record):
    """One exchange with its dice. `label` names it in messages."""

    command: records.Command
    dice: tuple[Die, ...] = ()
    label: str = "the exchange"
    in_file: FilePosition = FilePosition()


class Setting(Record, kw_only=True):
    """Everything that judging needs: book, house rules, gangs, conditions, and the exchanges to play."""

    book: str
    policies: tuple[records.PolicyText, ...]
    gangs: tuple[records.EnlistGang, ...]
    conditions: Mapping[str, Mapping[str, Stated]] = field(default_factory=dict)
    before: tuple[PlannedExchange, ...] = ()
    exchanges: tuple[PlannedExchange, ...]


class JudgedExchange(Record):
    """One exchange that was decided. `judgement` is None if it was passed over; `passed_over` says why."""

    planned: PlannedExchange
    judgement: Judgement | None
    passed_over: str = ""

    @property
    def events(self) -> tuple[records.Event, ...]:
        """Everything but the header."""
        decided = self.judgement.events if self.judgement is not None else ()
        return tuple(made.event for made in decided if not isinstance(made.event, records.DecisionTaken))


class SettingVerdict(Record):
    """The result of a setting: the state before it, each exchange, the state after it, and warnings.

    `fresh` is the state with nobody in any condition.
    """

    rulebook: Rulebook
    fresh: CampaignState
    start: CampaignState
    before: tuple[JudgedExchange, ...]
    exchanges: tuple[JudgedExchange, ...]
    end: CampaignState
    notes: tuple[str, ...]


class ExchangeRefused(Refusal):
    """The refusal of one exchange of a file, with its place in the file."""

    label: str
    refusal: Refusal

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # the refusal's own
        return self.refusal.exit_code

    def itself(self) -> Refusal:
        return self.refusal

    def message(self) -> str:
        return f"{self.label}: {self.refusal.message()}"


def judge(
    setting: Setting, library: Library, tray_of: Callable[[tuple[Die, ...]], DiceTray]
) -> SettingVerdict:
    """Decide the exchanges of a setting with their dice. `tray_of` makes the tray for them.

    Raises ExchangeRefused, DiceNeeded (which names the exchange) or DiceLeftOver. Stores nothing.
    """
    fresh = _fresh(setting, library)
    state = _in_conditions(setting, fresh, library)
    start, before = state, []
    for planned in setting.before:
        judged, state = _play(state, planned, library, tray_of, may_pass=False)
        before.append(judged)
    rulebook = rulebook_of(state, library)
    asked = [planned.command for planned in (*setting.before, *setting.exchanges)]
    notes = [
        *beyond_printed(setting.gangs, rulebook.book),
        *unknown_traits(asked, state, rulebook.book, again=True),
        *engaged_shooters(asked, state),
    ]
    exchanges: list[JudgedExchange] = []
    for planned in setting.exchanges:
        notes += contradicted_claims(state, planned.command)
        judged, state = _play(state, planned, library, tray_of, may_pass=bool(exchanges))
        exchanges.append(judged)
    return SettingVerdict(
        rulebook=rulebook,
        fresh=fresh,
        start=start,
        before=tuple(before),
        exchanges=tuple(exchanges),
        end=state,
        notes=tuple(notes),
    )


def begun(setting: Setting, library: Library) -> tuple[CampaignState, CampaignState]:
    """The state with everybody fresh, and the state after `before` was played with its own dice."""
    fresh = _fresh(setting, library)
    state = _in_conditions(setting, fresh, library)
    for planned in setting.before:
        _, state = _play(state, planned, library, DiceTray, may_pass=False)
    return fresh, state


def _fresh(setting: Setting, library: Library) -> CampaignState:
    commands: list[records.Command] = [
        records.OpenCampaign(name="Exchange", slug=BATTLE, book=setting.book, policies=setting.policies),
        *setting.gangs,
        records.OpenBattle(
            battle=BATTLE,
            scenario="Exchange",
            date="",
            crews={gang.gang: tuple(fighter.fighter for fighter in gang.fighters) for gang in setting.gangs},
        ),
    ]
    state = CampaignState()
    for command in commands:
        state = decide(state, command, DiceTray(), library, entry=1).state
    return state


def rulebook_of(state: CampaignState, library: Library) -> Rulebook:
    """The book with every house rule of the setting."""
    return library(
        state.book, [(f"{policy.policy}@{policy.version}", policy.patch) for policy in state.policies]
    )


def policy_text(policy: Policy) -> records.PolicyText:
    """A house rule as a campaign keeps it."""
    return records.PolicyText(
        policy=policy.policy,
        version=policy.version,
        title=policy.title,
        source=policy.source,
        patch=dict(sorted(policy.patch.items())),  # as the log's canonical JSON gives it back
    )


def _play(
    state: CampaignState,
    planned: PlannedExchange,
    library: Library,
    tray_of: Callable[[tuple[Die, ...]], DiceTray],
    *,
    may_pass: bool,
) -> tuple[JudgedExchange, CampaignState]:
    tray = tray_of(planned.dice)
    try:
        validate_new_command(state, planned.command, library)
        judgement = decide_keeping_spare_dice(state, planned.command, tray, library, entry=1)
        tray.finish()
    except (DiceNeeded, DiceLeftOver) as wrong:
        wrong.entry, wrong.in_file = planned.label, planned.in_file
        if isinstance(wrong, DiceLeftOver):
            book = rulebook_in_force(state, library).book
            wrong.notes = unknown_traits([planned.command], state, book, again=True)
        raise
    except Refusal as refusal:
        # Typed dice say that it did happen: then the refusal stands.
        if may_pass and not planned.dice and isinstance(refusal, LEFT_THE_BATTLE):
            return JudgedExchange(planned=planned, judgement=None, passed_over=refusal.message()), state
        refused = ExchangeRefused(label=planned.label, refusal=refusal)
        refused.in_file = planned.in_file
        raise refused from refusal
    return JudgedExchange(planned=planned, judgement=judgement), judgement.state


# --- conditions ------------------------------------------------------------------------------------------


def _in_conditions(setting: Setting, state: CampaignState, library: Library) -> CampaignState:
    on_chart = "injury_chart" in rulebook_of(state, library).book.charts
    for fighter, stated in setting.conditions.items():
        state = in_condition(state, fighter, stated, on_chart=on_chart)
    return state


def touched(verdict: SettingVerdict) -> tuple[str, ...]:
    """The ids of the models that the exchanges name, or whose condition they changed."""
    named = {
        name
        for exchange in verdict.exchanges
        for thing in (exchange.planned.command, *exchange.events)
        for name in named_in(thing)
    }
    start, end = records_in_play(verdict.start), records_in_play(verdict.end)
    return tuple(name for name in end if name in named or start.get(name) != end[name])


def named_in(thing: Any) -> Iterator[str]:
    """Every text in a command or event. The ids of its models are among them."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, Record):
        for name in names_of_fields(thing):
            yield from named_in(getattr(thing, name))
    elif isinstance(thing, dict):
        yield from named_in((*thing, *thing.values()))
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from named_in(part)
