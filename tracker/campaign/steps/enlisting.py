"""Gangs and fighters join, with their history from an earlier tracker.

Nothing is rolled or paid for: these are facts, and each event names its source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tracker.campaign import holdings, records
from tracker.campaign.profiles import Bionic
from tracker.campaign.steps import gangs
from tracker.campaign.steps.captives import capture
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.lasting_injuries import apply_effect
from tracker.campaign.steps.territories import territory_meant
from tracker.rules import effects as fx
from tracker.rules.tables import Row, Table
from tracker.rules.trench_crusade import trauma

BROUGHT = "brought along"
UNKNOWN = records.Provenance(source="a sheet", digest="")


@handles(records.EnlistGang)
def enlist_gang(decision: Decision, command: records.EnlistGang) -> None:
    """A gang joins with all its fighters, whose cards must be printable by the book."""
    decision.refuse_during_battle()
    if command.gang in decision.state.gangs:
        raise records.GangEnlistedAlready(gang=command.gang)
    enlisted = decision.emit(
        records.GangEnlisted(
            gang=command.gang,
            name=command.name,
            house=command.house,
            player=command.player,
            credits=command.credits,
            reputation=command.reputation,
        )
    )
    for card in command.fighters:
        _join(decision, command.gang, card, command.origin, cause=enlisted)
    for vehicle in command.vehicles:
        gangs.enlist_vehicle(decision, command.gang, vehicle, cause=enlisted)
    if command.so_far is not None:
        _bring_along_gang(decision, command, command.so_far, cause=enlisted)
    for item in command.stash:
        decision.emit(
            records.ItemMoved(
                item=item,
                source="@founding",
                target=holdings.stash_of(command.gang),
                source_gang=None,
                target_gang=command.gang,
                why=BROUGHT,
                section="",
            ),
            cause=enlisted,
        )
    _refuse_over_budget(decision, command)


def _refuse_over_budget(decision: Decision, command: records.EnlistGang) -> None:
    """A new gang costs, with what is left in its stash, no more than the table lets it spend.

    Source: Core Rulebook (2023) · Gangs · Gang Rating.
    """
    brought_along = command.so_far is not None or any(card.so_far for card in command.fighters)
    if command.founding_budget is None or brought_along:
        return
    gang = decision.gang(command.gang)
    spent, left = holdings.rating(gang) + holdings.stash_value(gang), gang.credits
    if spent + left > command.founding_budget:
        raise records.FoundingBudgetExceeded(
            gang=command.name, spent=spent, left=left, budget=command.founding_budget
        )


@handles(records.EnlistFighter)
def enlist_fighter(decision: Decision, command: records.EnlistFighter) -> None:
    """One more fighter joins a gang."""
    decision.refuse_during_battle()
    decision.gang(command.gang)
    _join(decision, command.gang, command.card, command.origin, cause=0)


def _join(
    decision: Decision, gang: str, card: records.FighterCard, origin: records.Provenance | None, *, cause: int
) -> None:
    enlisted = gangs.enlist_card(decision, gang, card, cause=cause)
    if card.so_far is not None:
        _bring_along_fighter(decision, card, card.so_far, origin or UNKNOWN, cause=enlisted)


# --- a gang ---------------------------------------------------------------------------------------------


def _bring_along_gang(
    decision: Decision, command: records.EnlistGang, so_far: records.GangSoFar, *, cause: int
) -> None:
    results = so_far.won + so_far.drawn + so_far.lost
    if results > so_far.battles:
        raise records.MoreResultsThanBattles(gang=command.name, results=results, battles=so_far.battles)
    origin = command.origin or UNKNOWN
    brought = decision.emit(
        records.GangBroughtAlong(
            gang=command.gang,
            battles=so_far.battles,
            won=so_far.won,
            drawn=so_far.drawn,
            lost=so_far.lost,
            vehicles_wrecked=so_far.vehicles_wrecked,
            promotion_failures=so_far.promotion_failures,
            locations=so_far.locations,
            alignment_switched=so_far.alignment_switched,
            allegiance=so_far.allegiance,
            alliances=so_far.alliances,
            patrons=so_far.patrons,
            source=origin.source,
            digest=origin.digest,
        ),
        cause=cause,
    )
    if so_far.alignment is not None:
        decision.emit(
            records.AlignmentStated(gang=command.gang, before=None, after=so_far.alignment, why=BROUGHT),
            cause=brought,
        )
    if so_far.glory:
        decision.emit(
            records.GloryChanged(gang=command.gang, before=0, after=so_far.glory, why=BROUGHT, section=""),
            cause=brought,
        )
    for held in so_far.territories:
        _bring_along_territory(decision, command, held, cause=brought)
    for captive in so_far.captives:
        _hold(decision, captive, command.gang, cause=brought)


def _bring_along_territory(
    decision: Decision, command: records.EnlistGang, held: records.TerritorySoFar, *, cause: int
) -> None:
    asked = records.GainTerritory(
        gang=command.gang, territory=held.territory, kind=held.kind, name=held.name, why=BROUGHT
    )
    territory = territory_meant(decision, asked)
    if territory.holder is not None:
        raise records.TerritoryBroughtTwice(
            territory=territory.name,
            identity=territory.territory,
            holder=decision.gang(territory.holder).name,
            gang=command.name,
        )
    # Its Reputation is in the gang's already: what a territory brings on being taken is not brought again.
    decision.emit(
        records.TerritoryGained(
            gang=command.gang,
            territory=territory.territory,
            kind=territory.kind,
            name=territory.name,
            before=None,
            why=BROUGHT,
            section="",
        ),
        cause=cause,
    )


# --- a fighter --------------------------------------------------------------------------------------------


def _bring_along_fighter(
    decision: Decision,
    card: records.FighterCard,
    so_far: records.FighterSoFar,
    origin: records.Provenance,
    *,
    cause: int,
) -> None:
    improved = Counter(_characteristics(decision, card.name, so_far.improved))
    brought = decision.emit(
        records.FighterBroughtAlong(
            fighter=card.fighter,
            xp_spent=so_far.xp_spent,
            advances=so_far.advances or decision.fighter(card.fighter).advancements,
            improved=dict(sorted(improved.items())),
            kills=so_far.kills,
            out_of_action=so_far.out_of_action,
            battles=so_far.battles,
            scars=so_far.scars,
            grudges=so_far.grudges,
            bionics=tuple(_bionic(decision, card.name, fitted) for fitted in so_far.bionics),
            mutations=tuple(_mutation(decision, card.name, name) for name in so_far.mutations),
            promoted_from=so_far.promoted_from,
            flags=so_far.flags,
            source=origin.source,
            digest=origin.digest,
        ),
        cause=cause,
    )
    for injury in so_far.injuries:
        _bring_along_injury(decision, card, injury, cause=brought)
    if so_far.convalescing:
        decision.emit(records.WentIntoConvalescence(fighter=card.fighter), cause=brought)
    if so_far.in_recovery:
        since = decision.state.battle_number - 1
        decision.emit(records.WentIntoRecovery(fighter=card.fighter, battle=since), cause=brought)
    if so_far.critical:
        decision.emit(records.CriticalInjuryPending(fighter=card.fighter), cause=brought)
    if so_far.captive_of is not None:
        decision.gang(so_far.captive_of)
        _hold(decision, card.fighter, so_far.captive_of, cause=brought)
    why = so_far.when or BROUGHT
    if so_far.gone == "dead":
        decision.emit(records.FighterDied(fighter=card.fighter, why=why), cause=brought)
    elif so_far.gone == "retired":
        decision.emit(records.FighterRetired(fighter=card.fighter, reason=why), cause=brought)


def _hold(decision: Decision, captive: str, holder: str, *, cause: int) -> None:
    fighter = decision.enlisted(captive)
    if fighter.gang == holder:
        raise records.CaptiveOfOwnGang(fighter=fighter.name)
    if fighter.held_by is not None or fighter.capture_pending:
        known = decision.state.gangs.get(fighter.held_by or fighter.captor or "")
        held_by = known.name if known is not None else "somebody"
        raise records.CaptiveHeldAlready(fighter=fighter.name, holder=held_by)
    if trauma.fates_are_rolled(decision.rulebook):
        decision.emit(records.HeldForRansom(fighter=captive, captor=holder), cause=cause)
    else:
        capture(decision, captive, holder, cause=cause)


def _bring_along_injury(
    decision: Decision, card: records.FighterCard, injury: records.InjurySoFar, *, cause: int
) -> None:
    """Put the injury on the card, and its effects on the numbers unless they include them already."""
    table, row = injury_row(decision, card.name, injury.injury)
    if injury.counted is None:
        raise records.CountedNotSaid(fighter=card.name, injury=row.name)
    had = decision.fighter(card.fighter).injuries
    occurrence = 1 + sum(suffered.injury == row.id for suffered in had)
    brought = decision.emit(
        records.InjuryBroughtAlong(
            fighter=card.fighter,
            table=table.id,
            injury=row.id,
            name=row.name,
            occurrence=occurrence,
            counted=injury.counted,
            section=decision.rulebook.section("lasting_injury_table"),
        ),
        cause=cause,
    )
    if injury.counted:
        return
    for effect in row.effects:
        if isinstance(effect, fx.Reduce | fx.Improve | fx.Skill):
            apply_effect(
                decision, Harm(target=card.fighter), effect, row, occurrence=occurrence, cause=brought
            )


def injury_row(decision: Decision, fighter: str, injury: str) -> tuple[Table, Row]:
    """The row of a lasting injury by its id or name, and its table. Raises UnknownInjury."""
    rulebook = decision.rulebook
    table = (
        trauma.trauma_table(rulebook) if trauma.fates_are_rolled(rulebook) else rulebook.book.lasting_injuries
    )
    for row in table.rows:
        if _as_id(injury) in (row.id, _as_id(row.name)):
            return table, row
    raise records.UnknownInjury(fighter=fighter, injury=injury, known=tuple(row.id for row in table.rows))


def _as_id(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _characteristics(decision: Decision, fighter: str, names: Iterable[str]) -> Iterable[str]:
    """The ids of the characteristics named on a sheet. Raises UnknownImprovement."""
    printed = decision.rulebook.book.characteristics
    for name in names:
        known = decision.rulebook.book.characteristic_called(name)
        if known is None:
            raise records.UnknownImprovement(
                fighter=fighter,
                characteristic=name,
                known=tuple(limits.short for limits in printed.values()),
            )
        yield known


def _bionic(decision: Decision, fighter: str, fitted: records.BionicSoFar) -> Bionic:
    _, row = injury_row(decision, fighter, fitted.place)
    improves = tuple(_characteristics(decision, fighter, fitted.improves))
    return Bionic(place=row.id, name=fitted.name, improves=improves)


def _mutation(decision: Decision, fighter: str, name: str) -> str:
    rules = decision.rulebook.book.mutation_rules
    mutation = rules.named(name) if rules is not None else None
    if mutation is None:
        known = tuple(listed.id for listed in rules.mutations) if rules is not None else ()
        raise records.UnknownMutationSoFar(fighter=fighter, mutation=name, known=known)
    return mutation.id
