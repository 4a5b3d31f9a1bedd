"""Mutation words: the events and commands about mutations, each as one plain line."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.evolve.mutations import MutationEvent
from tracker.reports.cards import counted, titled
from tracker.reports.names import Names
from tracker.reports.paper import safe

MUTATION_ROLLS = {"mutation": "mutation roll"}


def mutation_sentence(event: MutationEvent, names: Names) -> str:
    """One line for one event."""
    match event:
        case records.GangCorruptionStated():
            return _corruption(event.gang, event.daemons, names, corrupted=event.corrupted)
        case records.MutationGained():
            how = "by choice" if event.chosen else f"instead of {titled(event.instead_of)}"
            return f"{names.fighter(event.fighter)} mutates: {safe(event.name)}, {how}"
        case records.MutationCameAgain():
            again = f"{safe(event.name)} a second time, instead of {titled(event.instead_of)}"
            return f"{names.fighter(event.fighter)} mutates: {again}: another one is to be chosen"
        case records.BecameChaosSpawn():
            many = f"{counted(event.mutations, 'mutation')} at Toughness {event.toughness}"
            return f"{names.fighter(event.fighter)} becomes a Chaos Spawn and leaves the gang ({many})"
        case _:
            assert_never(event)


def mutation_asked(command: records.MutationCommand, names: Names) -> str:
    """One line that says what was asked for."""
    if isinstance(command, records.ChooseMutation):
        return f"mutation chosen: {titled(command.mutation)} for {names.fighter(command.fighter)}"
    return "stated: " + _corruption(command.gang, command.daemons, names, corrupted=command.corrupted)


def _corruption(gang: str, daemons: tuple[str, ...], names: Names, *, corrupted: bool) -> str:
    daemons_named = ", ".join(names.fighter(one) for one in daemons)
    also = f"; daemons or possessed: {daemons_named}" if daemons else ""
    return f"{names.gang(gang)} is {'corrupted' if corrupted else 'corrupted no more'}{also}"
