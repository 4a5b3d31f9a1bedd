"""Mutations: gained in place of a lasting injury, until a fighter becomes a Chaos Spawn.

The mutations and modifiers are the book's; a book without them has no corrupted gangs. Source: Archived rules
· Lasting Injuries and Damage · Mutations.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm, culprit
from tracker.rules import mutations as rules
from tracker.rules.tables import Row


@handles(records.StateCorruption)
def state_corruption(decision: Decision, command: records.StateCorruption) -> None:
    """A gang is corrupted from now on, or no longer. Refuses daemons of another gang."""
    assert decision.rulebook.book.mutations.mutations, "a book that tells of them has some"
    gang = decision.gang(command.gang)
    for name in command.daemons:
        fighter = decision.fighter(name)
        if fighter.gang != gang.gang:
            raise records.DaemonOfAnotherGang(fighter=fighter.name, gang=gang.name)
    daemons = tuple(dict.fromkeys(command.daemons))
    decision.emit(records.GangCorruptionStated(gang=gang.gang, corrupted=command.corrupted, daemons=daemons))


@handles(records.ChooseMutation)
def choose_mutation(decision: Decision, command: records.ChooseMutation) -> None:
    """Choose another mutation in place of one that came a second time."""
    book = decision.rulebook.book.mutations
    fighter = decision.enlisted(command.fighter)
    if not fighter.mutations_to_choose:
        raise records.NoMutationToChoose(fighter=fighter.name)
    mutation = book.named(command.mutation)
    if mutation is None:
        raise records.UnknownMutation(
            mutation=command.mutation, known=tuple(mutation.id for mutation in book.mutations)
        )
    if mutation.id in fighter.mutations:
        raise records.MutationHadAlready(fighter=fighter.name, mutation=mutation.name)
    _gain(decision, command.fighter, mutation, chosen=True, cause=0)


def mutates_instead(decision: Decision, harm: Harm, row: Row, *, cause: int) -> bool:
    """Whether a mutation replaces a row of the Lasting Injury table, by its own D6."""
    book = decision.rulebook.book.mutation_rules
    fighter = decision.fighter(harm.target)
    mutation = book.instead_of(row.id) if book is not None else None
    if book is None or mutation is None or not decision.gang(fighter.gang).corrupted:
        return False
    by = culprit(decision, harm)
    modifiers = book.modifiers(
        by_corrupted_gang=by is not None and decision.gang(by).corrupted,
        daemon=fighter.daemon,
        mutated_already=bool(fighter.mutations or fighter.mutations_to_choose),
    )
    die = decision.tray.d6("mutation", why=f"{mutation.name} instead of {row.name}", fighter=harm.target)
    mutated = book.mutates(die.face + sum(by for _, by in modifiers))
    rolled = decision.roll(
        die,
        outcome=f"{mutation.name} instead of {row.name}" if mutated else f"{row.name} stands",
        section="mutations",
        rolled_by=fighter.gang,
        modifiers=as_modifiers(modifiers),
        target=book.needs,
        passed=mutated,
        cause=cause,
    )
    if not mutated:
        return False
    if mutation.id in fighter.mutations:
        again = records.MutationCameAgain(
            fighter=harm.target,
            mutation=mutation.id,
            name=mutation.name,
            instead_of=mutation.instead_of,
            section=decision.rulebook.section("mutations"),
        )
        decision.emit(again, cause=rolled)
    else:
        _gain(decision, harm.target, mutation, chosen=False, cause=rolled)
    return True


def become_spawn(decision: Decision, name: str, *, cause: int) -> None:
    """A fighter with as many mutations as the Toughness on the card becomes a Chaos Spawn and leaves the
    gang.
    """
    fighter = decision.fighter(name)
    mutations, toughness = len(fighter.mutations), fighter.characteristics.get("toughness", 0)
    if fighter.standing == "enlisted" and rules.becomes_spawn(mutations=mutations, toughness=toughness):
        spawn = records.BecameChaosSpawn(fighter=name, mutations=mutations, toughness=toughness)
        decision.emit(spawn, cause=cause)


def _gain(decision: Decision, name: str, mutation: rules.Mutation, *, chosen: bool, cause: int) -> None:
    gained = decision.emit(
        records.MutationGained(
            fighter=name,
            mutation=mutation.id,
            name=mutation.name,
            instead_of=mutation.instead_of,
            chosen=chosen,
            section=decision.rulebook.section("mutations"),
        ),
        cause=cause,
    )
    become_spawn(decision, name, cause=gained)
