"""A decision in the making: the events so far, the state they lead to, and the tray the dice come from.

Knows how to note an event and what caused it. Knows no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle, Territory
from tracker.campaign.containers import OwnedDict
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import BattleUnderWay, CampaignState, Combatant, CombatVehicle, Gang, Vehicle
from tracker.campaign.steps.annotations import Annotations, HitTaken, HowHit
from tracker.dice import DiceTray, Die
from tracker.errors import Asks, ChoiceLeft
from tracker.records import Record
from tracker.rules.modifiers import Modifiers
from tracker.rules.rulebook import Rulebook

Shown = TypeVar("Shown")


class DecidedEvent(Record):
    """One event of a decision. `cause` is the place of its cause in the entry; the header has place 0."""

    event: records.Event
    cause: int


class Decision:
    """Collects the events of one entry, and folds each at once so that the next rule reads the new state."""

    asks: Asks | None = None
    """Which choices to stop for that an entry may also leave out; None: for none."""

    def __init__(self, state: CampaignState, rulebook: Rulebook, tray: DiceTray, *, entry: int = 1) -> None:
        self.state = state
        self.rulebook = rulebook
        self.tray = tray
        self.entry = entry
        self.events: list[DecidedEvent] = []
        self._cards: dict[str, Fighter | None] = {}
        self.annotations: Annotations | None = Annotations()  # None where nobody will ask: in `odds`

    def emit(self, event: records.Event, *, cause: int = 0) -> int:
        """Add an event. Returns its place in the entry, for the events that it causes."""
        self.goes_on_from(event.apply(self.state))
        self.events.append(DecidedEvent(event=event, cause=cause))
        return len(self.events)

    def goes_on_from(self, state: CampaignState) -> None:
        """Set the state that the next rule reads. Changes that touch only conditions keep the cached
        cards.
        """
        if state.gangs is not self.state.gangs or type(state.gangs) is OwnedDict:
            self._cards.clear()
        self.state = state

    def roll(
        self,
        die: Die,
        *,
        outcome: str,
        section: str,
        rolled_by: str | None,
        modifiers: tuple[records.Modifier, ...] = (),
        target: int | None = None,
        passed: bool | None = None,
        cause: int = 0,
    ) -> int:
        """Record the die that the tray gave last, with its meaning. Returns its place in the entry."""
        made = records.RollMade(
            number=self.tray.last_number,
            purpose=die.purpose,
            die=die.die,
            faces=die.faces,
            symbol=die.symbol,
            source=die.source,
            fighter=die.fighter,
            rolled_by=rolled_by,
            modifiers=modifiers,
            target=target,
            passed=passed,
            outcome=outcome,
            section=self.rulebook.section(section),
        )
        self.events.append(DecidedEvent(event=made, cause=cause))  # a die changes no state
        return len(self.events)

    def note_rule(self, fighter: str, why: str, *, section: str, cause: int = 0) -> int:
        """Record that a rule had an effect without a die."""
        noted = records.RuleNoted(fighter=fighter, why=why, section=self.rulebook.section(section))
        return self.emit(noted, cause=cause)

    def leave_to_player(self, choice: ChoiceLeft) -> None:
        """Stop for a choice that an entry may leave out, where who tries it asks; else the usual counts."""
        if self.asks is not None and self.asks(choice):
            raise choice

    def note_hit(
        self,
        on: str,
        *,
        by: str | None,
        weapon: str | None,
        how: HowHit,
        strength: int,
        armour_penetration: int,
        damage: int | None,
        toughness: int | None = None,
    ) -> None:
        """Annotate the hit that is resolved next. `toughness` defaults to the fighter's own."""
        if self.annotations is None:
            return
        self.annotations.hits.append(
            HitTaken(
                after_events=len(self.events),
                on=on,
                by=by,
                weapon=weapon,
                how=how,
                strength=strength,
                armour_penetration=armour_penetration,
                damage=damage,
                toughness=self.current_toughness(on) if toughness is None else toughness,
            )
        )

    # --- seams: how `odds` takes an entry apart. A decision itself just goes on. ------------------------

    def independent(self, step: Callable[..., None], *facts: object, **named: object) -> None:
        """Carry out an independent step: it affects the rest of the entry through the state alone.

        The facts must be values. One named `cause` links events and changes nothing else.
        """
        step(self, *facts, **named)

    def merge_point(self, *facts: object) -> None:
        """State that the rest of this step depends on the state and these values, and on no other die.

        For the head of a loop (`decision.merge_point("hit", hits[nth:])`): branches that meet here are
        merged.
        """

    def roll_only(self, step: Callable[..., Shown], *facts: object, **named: object) -> Shown:
        """Carry out a step that only rolls, and return what the dice showed as plain values.

        The step changes no state, and its result depends on the dice and these facts alone.
        """
        return step(self, *facts, **named)

    def independent_each(
        self,
        step: Callable[..., None],
        each: Sequence[object],
        *facts: object,
        settled: Sequence[str],  # noqa: ARG002  # for `odds` alone
    ) -> None:
        """Carry out an independent step for each of these, as the last thing that an entry does.

        `settled` are fields of conditions in the battle that none of the steps reads or writes.
        """
        for part in each:
            step(self, part, *facts)

    def after_battle_only(self, step: Callable[..., None], *facts: object, **named: object) -> None:
        """Carry out a step that nothing later in the battle depends on, such as lasting injuries."""
        step(self, *facts, **named)

    def fighter(self, fighter: str) -> Fighter:
        """The fighter. Raises UnknownFighter."""
        # Hot path: one shot looks its models up twenty times.
        card = self._cards.get(fighter)
        if card is None:
            card = self.card(fighter)
        if card is None:
            vehicle = self.state.vehicle(fighter)
            if vehicle is not None:
                raise records.VehicleNotFighter(vehicle=vehicle.name, crew=vehicle.crew)
            raise records.UnknownFighter(fighter=fighter, known=tuple(self.state.gang_of))
        return card

    def card(self, fighter: str) -> Fighter | None:
        """The fighter, or None for an unknown id."""
        card = self._cards.get(fighter)
        if card is None:
            card = self._cards[fighter] = self.state.fighter(fighter)
        return card

    def enlisted(self, fighter: str) -> Fighter:
        """The fighter. Raises UnknownFighter, or FighterGone for the dead and gone."""
        card = self.fighter(fighter)
        if card.standing != "enlisted":
            raise records.FighterGone(fighter=card.name, standing=card.standing)
        return card

    def gang(self, gang: str) -> Gang:
        """The gang. Raises UnknownGang."""
        card = self.state.gangs.get(gang)
        if card is None:
            raise records.UnknownGang(gang=gang, known=tuple(self.state.gangs))
        return card

    def held_territory(self, territory: str) -> tuple[Territory, Gang]:
        """The territory, and the gang that holds it. Raises UnknownTerritory or HeldByNobody."""
        held = self.state.territories.get(territory)
        if held is None:
            raise records.UnknownTerritory(territory=territory, known=tuple(self.state.territories))
        if held.holder is None:
            raise records.HeldByNobody(territory=held.name)
        return held, self.gang(held.holder)

    def battle(self, what: str) -> BattleUnderWay:
        """The battle under way. Raises NoBattleUnderWay."""
        if self.state.under_way is None:
            raise records.NoBattleUnderWay(what=what)
        return self.state.under_way

    def battle_of(self, fighter: str, what: str) -> BattleUnderWay | AfterBattle:
        """The battle under way, else the one whose post-battle sequence the fighter's gang is in.

        Raises NoBattleUnderWay.
        """
        if self.state.under_way is None:
            after = self.state.after_battle.get(self.fighter(fighter).gang)
            if after is not None:
                return after
        return self.battle(what)

    def refuse_during_battle(self) -> None:
        """Raises BattleUnderWayAlready: the command is for between battles."""
        if self.state.under_way is not None:
            raise records.BattleUnderWayAlready(battle=self.state.under_way.battle)

    def combatant(self, fighter: str, *, what: str) -> Combatant:
        """The fighter's condition in this battle. Refuses one unknown, gone, absent or Out of Action."""
        under_way = self.state.under_way
        if under_way is not None:  # hot path: nearly everybody who is asked for is there
            combatant = under_way.combatants.get(fighter)
            if combatant is not None and not combatant.out_of_action and not combatant.fled:
                return combatant
        enlisted = self.fighter(fighter)
        battle = self.battle(what)
        combatant = battle.combatants.get(fighter)
        if combatant is None:
            if enlisted.standing != "enlisted":
                raise records.FighterGone(fighter=enlisted.name, standing=enlisted.standing)
            raise records.FighterNotInBattle(fighter=enlisted.name, battle=battle.battle)
        if combatant.out_of_action:
            raise records.FighterOutOfPlay(fighter=enlisted.name, battle=battle.battle)
        if combatant.fled:
            raise records.FighterHasFled(fighter=enlisted.name, battle=battle.battle)
        return combatant

    def has_skill_in_battle(self, fighter: str, skill: str, *, since: int = 1) -> bool:
        """Whether a skill of the fighter is in effect: from stage `since` of the rules on (ADR 29)."""
        stage = self.battle(skill).whole_book
        return stage is not None and stage >= since and self.fighter(fighter).has_skill(skill)

    def plays_by(self, stage: int) -> bool:
        """Whether the battle under way is played by this stage of the special rules or a later one (ADR
        29).
        """
        battle = self.state.under_way
        return battle is not None and (battle.whole_book or 0) >= stage

    def vehicle(self, vehicle: str) -> Vehicle:
        """The vehicle. Raises UnknownVehicle, or FighterNotVehicle for a fighter's id."""
        card = self.state.vehicle(vehicle)
        if card is None:
            fighter = self.state.fighter(vehicle)
            if fighter is not None:
                ridden = (known for known in self.state.vehicle_of if self._is_crew(vehicle, known))
                raise records.FighterNotVehicle(fighter=fighter.name, drives=next(ridden, ""))
            raise records.UnknownVehicle(vehicle=vehicle, known=tuple(self.state.vehicle_of))
        return card

    def _is_crew(self, fighter: str, vehicle: str) -> bool:
        card = self.state.vehicle(vehicle)
        return card is not None and card.crew == fighter

    def gang_of_model(self, model: str) -> str:
        """The gang of a fighter or vehicle. Raises UnknownFighter."""
        vehicle = self.state.vehicle(model)
        return vehicle.gang if vehicle is not None else self.fighter(model).gang

    def name_of_model(self, model: str) -> str:
        """The name of a fighter or vehicle. Raises UnknownFighter."""
        vehicle = self.state.vehicle(model)
        return vehicle.name if vehicle is not None else self.fighter(model).name

    def combat_vehicle(self, vehicle: str, *, what: str) -> CombatVehicle:
        """The vehicle's condition in this battle. Refuses what is unknown, absent or wrecked."""
        card = self.vehicle(vehicle)
        battle = self.battle(what)
        condition = battle.vehicles.get(vehicle)
        if condition is None:
            raise records.VehicleNotInBattle(vehicle=card.name, battle=battle.battle)
        if condition.wrecked:
            raise records.VehicleWreckedAlready(vehicle=card.name, battle=battle.battle)
        return condition

    def current_toughness(self, fighter: str) -> int:
        """Toughness after this battle's Flesh Wounds."""
        flesh_wounds = 0
        if self.state.under_way is not None and fighter in self.state.under_way.combatants:
            flesh_wounds = self.state.under_way.combatants[fighter].flesh_wounds
        return self.fighter(fighter).characteristics["toughness"] - flesh_wounds


@lru_cache(maxsize=1024)
def as_modifiers(modifiers: Modifiers) -> tuple[records.Modifier, ...]:
    """The modifiers of a rule as records for an event."""
    return tuple(records.Modifier(why=why, by=by) for why, by in modifiers)
