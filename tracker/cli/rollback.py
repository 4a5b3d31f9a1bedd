"""Rolls back a whole battle, everything after an entry, or a ruling, as one entry that can be taken back."""

from __future__ import annotations

from typing import Any

import click

from tracker.cli import amending, rulings
from tracker.cli.options import ENTRY_NUMBER, as_json, dry_run, pass_session, reason
from tracker.cli.session import Session
from tracker.documents.text import clean_note
from tracker.errors import BadInput
from tracker.reports.amendments import AmendedKey
from tracker.reports.names import Names
from tracker.service.application import Tracker
from tracker.service.ruling_request import RulingRequest


class SayOneThing(BadInput):
    """Say one thing to roll back: --battle BATTLE, --to-entry ENTRY, or --ruling ENTRY."""


class RollbackTargetUnclear(BadInput):
    """{typed!r} does not say what to roll back. For a battle type: arbitrator rollback {verb} --battle
    {typed}. --to-entry ENTRY rolls back everything after an entry, --ruling ENTRY takes a ruling back.
    """

    typed: str
    verb: str


class AftermathOfNoBattle(BadInput):
    """--with-aftermath goes with --battle: name the battle whose post-battle files to roll back too."""


class RollbackCommand(click.Command):
    """Takes options only; an argument gets a message that says which option to use."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        extra = super().parse_args(ctx, args)
        if extra and not ctx.resilient_parsing:
            raise RollbackTargetUnclear(typed=extra[0], verb=str(ctx.info_name))
        return extra


def what_options(function: Any) -> Any:
    """The options that say what is rolled back."""
    for option in (
        click.option(
            "--ruling", type=ENTRY_NUMBER, metavar="ENTRY", help="Take back this ruling or roll back."
        ),
        click.option(
            "--to-entry",
            type=ENTRY_NUMBER,
            metavar="ENTRY",
            help="Everything that was played after this entry; rulings stay.",
        ),
        click.option(
            "--with-aftermath",
            is_flag=True,
            help="With --battle: what its post-battle files recorded, too.",
        ),
        click.option("--battle", metavar="BATTLE", help="The whole battle, by its id or number."),
    ):
        function = option(function)
    return function


@click.group("rollback")
def command() -> None:
    """Roll back a battle, everything after an entry, or a ruling."""


@command.command("preview", cls=RollbackCommand)
@what_options
@amending.also_option
@rulings.later_options
@as_json
@pass_session
def preview(session: Session, /, as_json: bool, **said: Any) -> None:
    """Show everything that a rollback would change.

    It writes nothing.

    \b
    arbitrator rollback preview --battle 2
    """
    tracker, campaign = session.tracker, session.campaign
    answer, lines = _answer(session, reason="", **said)
    previewed = tracker.rulings.preview(campaign, None, answer)
    about = _about(tracker, campaign, **said)
    words = _typed(said)
    rulings.show_preview(session, previewed, words=words, as_json=as_json, about=about, amended=lines)


@command.command("rule", cls=RollbackCommand)
@what_options
@amending.also_option
@rulings.later_options
@reason
@rulings.ruling_options
@dry_run
@as_json
@pass_session
def rule(
    session: Session,
    /,
    reason: str,
    roll: bool,
    expect_head: int | None,
    force: str | None,
    dry_run: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """Roll back a battle, everything after an entry, or a ruling.

    One entry strikes out all of it, or nothing is written. 'rollback rule --ruling ENTRY' takes it back. Look
    first: the preview prints the --expect-head to rule with. On a terminal, without --expect-head, the
    command shows the preview and asks you.

    \b
    arbitrator rollback rule --battle 2 --reason "wrong gang" --expect-head 78
    """
    tracker, campaign = session.tracker, session.campaign
    answer, lines = _answer(session, reason=clean_note(reason), **said)
    rulings.make_ruling(
        session,
        None,
        answer,
        words=_typed(said),
        about=_about(tracker, campaign, **said),
        amended=lines,
        roll=roll,
        expect_head=expect_head,
        force=force,
        dry_run=dry_run,
        as_json=as_json,
    )


def _typed(said: dict[str, Any]) -> str:
    names = {"void": "void_entry"}
    return rulings.typed("rollback", (), {names.get(name, name): value for name, value in said.items()})


def _about(
    tracker: Tracker,
    campaign: str,
    *,
    battle: str | None,
    with_aftermath: bool,
    to_entry: int | None,
    ruling: int | None,
    **_how: Any,
) -> str:
    """What is rolled back or taken back, in words: 'battle 2 (second-night)'."""
    if battle is not None:
        known = Names.of_state(tracker.boards.state_at(campaign))
        called = {str(number): name for name, number in known.battles.items()}
        return known.battle(called.get(battle, battle)) + (" and its aftermath" if with_aftermath else "")
    return f"everything played after entry {to_entry}" if to_entry is not None else f"ruling {ruling}"


def _answer(
    session: Session,
    *,
    reason: str,
    battle: str | None,
    with_aftermath: bool,
    to_entry: int | None,
    ruling: int | None,
    also: tuple[tuple[int, str], ...],
    dice: tuple[str, ...],
    keep: tuple[int, ...],
    unkeep: tuple[int, ...],
    void: tuple[int, ...],
    strategy: Any,
) -> tuple[RulingRequest, tuple[AmendedKey, ...]]:
    tracker, campaign = session.tracker, session.campaign
    if sum(point is not None for point in (battle, to_entry, ruling)) != 1:
        raise SayOneThing
    if with_aftermath and battle is None:
        raise AftermathOfNoBattle
    struck: tuple[int, ...] = ()
    if battle is not None:
        struck = tracker.rulings.slots_of_battle(campaign, battle, aftermath=with_aftermath)
    elif to_entry is not None:
        struck = tracker.rulings.slots_after(campaign, to_entry)
    if also and ruling is not None:
        raise amending.RestoresAlone
    further = amending.added(session, also, apart_from={*struck, *void, *keep})
    request = RulingRequest(
        verdict="rolled_back" if ruling is None else "reversed",
        reason=reason,
        **rulings.supplied_dice(dice),
        keep=keep,
        unkeep=unkeep,
        void=(*struck, *void),
        reverses=ruling,
        strategy=strategy,
        amended=further.amended,
    )
    return request, further.lines
