"""Battles: opening, closing, awards of experience, and notes about rules that needed no die."""

from __future__ import annotations

import re

from tracker.campaign.after_battle import AfterBattle
from tracker.campaign.cards import fighter_on_card, vehicle_on_card
from tracker.campaign.fighters import Fighter
from tracker.campaign.records import kinds
from tracker.campaign.records.campaigns import AdoptPolicy, RepealPolicy
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.state import BattleUnderWay, CampaignState, Combatant, CombatVehicle
from tracker.errors import BadInput, RulesRefuse
from tracker.records import replace


def _result(wording: Wording, winner: str | None, *, drawn: bool) -> str:
    if winner is not None:
        return f"won by {wording.gang(winner)}"
    return "a draw" if drawn else "no winner"


# --- commands --------------------------------------------------------------------------------------------


@command("OpenBattle", game="every")
class OpenBattle(Command):
    """A battle begins."""

    battle: kinds.BattleId
    scenario: kinds.Name
    date: str
    """Year-month-day."""
    crews: dict[str, tuple[kinds.FighterId, ...]]
    """The fighters of each gang; an empty crew means everybody who is available."""
    number: int | None = None
    """Filled in when the battle is first recorded, so that it keeps it when an earlier battle is voided; None
    takes the next."""
    vehicles: tuple[kinds.VehicleId, ...] | None = None
    """None brings every vehicle whose crew fights and that runs."""
    unreliable: tuple[kinds.VehicleId, ...] | None = None
    """Those of them whose start was rolled for, and may have failed."""
    adopting: tuple[AdoptPolicy, ...] | None = None
    """House rules that a ruling put in force from here on."""
    repealing: tuple[RepealPolicy, ...] | None = None
    """House rules that a ruling ended from here on."""
    whole_book: int | None = None
    """Filled in when the battle is first recorded: the stage of the rules whose traits and skills ask for
    dice in it; None for a battle recorded before they did.
    """

    def in_words(self, wording: Wording) -> str:
        gangs = " against ".join(map(wording.gang, self.crews))
        scenario = f"{wording.text(self.scenario)}, {wording.text(self.date)}"
        return f"open {wording.battle(self.battle)}: {scenario}, {gangs}"


@command("AwardExperience", game="every", entry="experience", exchange="experience")
class AwardExperience(Command):
    """Experience from the scenario or the Arbitrator. What the rules give is counted automatically."""

    sentence = "award: {amount} XP for {fighter}: {reason}"

    fighter: kinds.FighterId
    """Who gets it."""
    amount: kinds.ExperienceAward
    """How much."""
    reason: kinds.Note
    """What for."""


@command("CloseBattle", game="every")
class CloseBattle(Command):
    """The end of a battle and its Wrap-up."""

    winner: kinds.GangId | None = None
    """The gang that won; None for a draw or no result."""
    drawn: bool = False

    def in_words(self, wording: Wording) -> str:
        return f"close the battle: {_result(wording, self.winner, drawn=self.drawn)}"


# --- events ----------------------------------------------------------------------------------------------


@event("BattleOpened")
class BattleOpened(Event):
    """A battle starts: the campaign's `number`th, with the fighters of each gang that take part."""

    battle: kinds.BattleId
    number: int
    scenario: kinds.Name
    date: str
    crews: dict[str, tuple[kinds.FighterId, ...]]
    vehicles: tuple[kinds.VehicleId, ...] = ()
    whole_book: int | None = None

    def in_words(self, wording: Wording) -> str:
        crews = ", ".join(
            f"{wording.gang(gang)} ({wording.counted(len(crew), 'fighter')})"
            for gang, crew in self.crews.items()
        )
        opened = f"battle {self.number} ({wording.text(self.battle)}) opens"
        return f"{opened}: {wording.text(self.scenario)}, {wording.text(self.date)}: {crews}"

    def apply(self, state: CampaignState) -> CampaignState:
        # A gang's next battle ends its post-battle sequence.
        left = {gang: after for gang, after in state.after_battle.items() if gang not in self.crews}
        if len(left) < len(state.after_battle):
            state = replace(state, after_battle=left)
        combatants: dict[str, Combatant] = {}
        fielded: dict[str, Fighter] = {}
        for crew in self.crews.values():
            for name in crew:
                fighter = fielded.get(name) or fighter_on_card(state, name)
                combatants[name] = Combatant(wounds_left=fighter.characteristics.get("wounds", 0))
                fielded[name] = replace(fighter, battles_fought=fighter.battles_fought + 1)
        state = state.with_fighters(fielded.values())
        hit_points = {name: vehicle_on_card(state, name).hit_points for name in self.vehicles}
        battle = BattleUnderWay(
            battle=self.battle,
            number=self.number,
            crews=self.crews,
            combatants=combatants,
            vehicles={name: CombatVehicle(hit_points_left=left) for name, left in hit_points.items()},
            whole_book=self.whole_book,
        )
        return replace(state, battles=state.fought.with_battle(self.battle, self.number), under_way=battle)


@event("BattleClosed")
class BattleClosed(Event):
    """The Wrap-up is done. `winner` is a gang, or None for a draw or no result."""

    battle: kinds.BattleId
    winner: kinds.GangId | None
    drawn: bool = False

    def in_words(self, wording: Wording) -> str:
        return f"{wording.battle(self.battle)} closes: {_result(wording, self.winner, drawn=self.drawn)}"

    def apply(self, state: CampaignState) -> CampaignState:
        battle = state.under_way
        state = replace(state, under_way=None)
        if battle is None:
            return state
        for name in battle.crews:
            gang = state.gangs[name]
            state = state.with_gang(
                replace(
                    gang,
                    battles=gang.battles + 1,
                    won=gang.won + (self.winner == name),
                    drawn=gang.drawn + self.drawn,
                    lost=gang.lost + (self.winner is not None and self.winner != name),
                )
            )
        record = self._for_the_sequences(state, battle)
        for name in battle.crews:
            state = state.with_fighters(
                replace(fighter, absent_since=None)
                for fighter in state.gangs[name].members.having("absent_since")
                if fighter.absent_since is not None and fighter.absent_since < battle.number
            )
        after = {**state.after_battle, **dict.fromkeys(sorted(battle.crews), record)}
        return replace(state, after_battle=after)

    def _for_the_sequences(self, state: CampaignState, battle: BattleUnderWay) -> AfterBattle:
        """What the post-battle sequences of the gangs that fought have to go on."""
        gone = tuple(name for name, combatant in battle.combatants.items() if combatant.out_of_action)
        wrecked: dict[str, tuple[str, ...]] = {}
        for name, condition in battle.vehicles.items():
            vehicle = state.vehicle(name)
            if condition.wrecked and vehicle is not None:
                wrecked[vehicle.gang] = (*wrecked.get(vehicle.gang, ()), name)
        return AfterBattle(
            battle=battle.battle,
            number=battle.number,
            crews=dict(sorted(battle.crews.items())),
            winner=self.winner,
            drawn=self.drawn,
            remained={
                gang: tuple(
                    name
                    for name in crew
                    if not battle.combatants[name].out_of_action and not battle.combatants[name].fled
                )
                for gang, crew in sorted(battle.crews.items())
            },
            out_of_action=tuple(sorted(gone)),
            webbed=tuple(sorted(name for name in gone if battle.combatants[name].webbed)),
            wrecked={gang: tuple(sorted(names)) for gang, names in sorted(wrecked.items())},
            whole_book=battle.whole_book,
        )


@event("RuleNoted")
class RuleNoted(Event):
    """A rule applied without a die, such as no save, or a fall too short to hurt. `why` names it."""

    fighter: kinds.FighterId
    why: kinds.Note
    section: str

    def in_words(self, wording: Wording) -> str:
        # Logs hold 'no save: gas allows none' and 'no save: AP takes it away'.
        why = re.sub(r"^no save: (.+) allows none$", r"no save against \1", self.why)
        why = re.sub(r"^(no [^:]+): ", r"\1, ", why)
        return f"{wording.fighter(self.fighter)}: {wording.text(why)}"


# --- refusals --------------------------------------------------------------------------------------------


class BattleFoughtAlready(RulesRefuse):
    """Battle {battle!r} is recorded already, as battle {number}. Give this report another id; if it is the
    same battle put right, use 'arbitrator battle amend {battle} FILE'.
    """

    battle: str
    number: int


class TooFewGangs(BadInput):
    """A battle needs two {game.gangs} or more; this one names {gangs}."""

    gangs: int


class FighterCannotTakePart(RulesRefuse):
    """{fighter} cannot take part: {why}. {next_step}"""

    fighter: str
    why: str
    next_step: str


class OthersHaveLost(RulesRefuse):
    """Every other {game.gang} has lost this battle already, so {gang} has won it: end the battle."""

    gang: str


class NobodyComes(RulesRefuse):
    gang: str
    why: tuple[str, ...]

    def message(self) -> str:
        reasons = "; ".join(self.why) or "it has no fighters"
        gang = self.called("gang")
        return (
            f"{self.gang} have nobody who can take part: {reasons}. A battle needs somebody of every {gang}:"
            f" hire first, or leave the {gang} out of this battle."
        )


class WinnerTookNoPart(BadInput):
    """{winner} is given as the winner of {battle!r} but took no part in it: name a {game.gang} that did."""

    winner: str
    battle: str


class WonAndDrawn(BadInput):
    """{battle} cannot be both won by {winner} and a draw: say one of them."""

    winner: str
    battle: str
