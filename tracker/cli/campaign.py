"""Campaigns: begin, list, show, choose."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

import click

from tracker.campaign import records
from tracker.cli import publish
from tracker.cli.corrections import armoury_option, stated
from tracker.cli.options import as_json, dry_run, form_of, pass_session, reason, show
from tracker.cli.options import as_json as as_json_option
from tracker.cli.receipts import show_receipt
from tracker.cli.session import DataFolderUnusable, Session
from tracker.conversations.chosen_campaign import armoury_of
from tracker.documents.armoury import PriceLookup, armoury_kept
from tracker.documents.house_rule import policy_called
from tracker.documents.post_battle_entries import Promote
from tracker.documents.text import clean_name, clean_note, slug_of
from tracker.documents.yaml_reader import text_of
from tracker.errors import BadInput
from tracker.people.records import DICE_FROM, RECORDERS, VISIBILITIES, DiceFrom, Recorders, Visibility
from tracker.reports import cards, timeline
from tracker.reports.armoury import armoury_page
from tracker.reports.campaign import campaign_page, campaigns_page, exported_page, imported_page
from tracker.reports.escaping import sanitize
from tracker.reports.members import done_page
from tracker.rules import loader
from tracker.service import archive_reader
from tracker.service.command_handler import CommandWithDice


class NameGivesNoSlug(BadInput):
    """No short name can be made of that. Use some letters or digits, or give --slug, such as --slug
    ash-wastes.
    """


@click.group("campaign")
def command() -> None:
    """Begin, list, show, choose, publish, export and import campaigns."""


@command.command("new")
@click.argument("name")
@click.option("--ruleset", default="necromunda_2023", show_default=True, help="The rulebook.")
@click.option("--preset", help="House rules of a community, such as a_and_a.")
@click.option(
    "--policy", "policies", multiple=True, metavar="ID@V|FILE", help="Another house rule; may be repeated."
)
@click.option("--slug", help="The short name used on the command line. [default: made from NAME]")
@click.option(
    "--after-battle",
    type=click.IntRange(0, 9999),
    default=0,
    help="Battles fought before the campaign moved here; the next number follows.",
)
@click.option(
    "--cycle", type=click.IntRange(1, 999), help="The cycle that it stands in. [default: none has begun]"
)
@click.option(
    "--dice",
    type=click.Choice(DICE_FROM),
    help="Whose dice the pages offer first: those on the table, or the tool's. [default: table]",
)
@click.option(
    "--visibility",
    type=click.Choice(VISIBILITIES),
    help="Who reads it through the service: its members, or everybody. [default: private]",
)
@as_json
@pass_session
def new(
    session: Session,
    name: str,
    ruleset: str,
    preset: str | None,
    policies: tuple[str, ...],
    slug: str | None,
    after_battle: int,
    cycle: int | None,
    dice: DiceFrom | None,
    visibility: Visibility | None,
    as_json: bool,
) -> None:
    """Begin a campaign and choose it.

    \b
    arbitrator campaign new "Ash Wastes" --ruleset necromunda_2023 \\
        --preset a_and_a
    """
    name = clean_name(name)
    short = slug_of(slug or name)
    if not short:
        raise NameGivesNoSlug
    session.slug = short
    played = session.beginning().commands.open_campaign(
        name=name,
        slug=short,
        book=ruleset,
        preset=preset,
        policies=[*map(policy_called, policies)],
        after_battle=after_battle,
        cycle=cycle,
    )
    if dice is not None:
        session.tracker.people.set_dice(played.campaign, dice)
    if visibility is not None:
        session.tracker.people.set_visibility(played.campaign, visibility)
    try:
        session.choose(short)
        next_step = "is open. The next commands use it."
    except DataFolderUnusable as unusable:  # the campaign has begun anyway
        next_step = (
            f"is open, but the next commands do not use it: give --campaign {short}. {unusable.message()}"
        )
    show_receipt(played, as_json=as_json)
    if not as_json:
        left_out = loader.fitting_policies(preset, ruleset)[1] if preset else ()
        if left_out:
            show(f"\nLeft out, because {ruleset} has no such rules: {', '.join(left_out)}.")
        show(f"\nCampaign {short!r} {sanitize(next_step)}")


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List every campaign in this database.

    \b
    arbitrator campaign list
    """
    rows = session.campaigns()
    show(campaigns_page(rows), as_json=as_json)


@command.command("show")
@as_json
@pass_session
def show_(session: Session, as_json: bool) -> None:
    """Show the campaign: ruleset, house rules, gangs and battles.

    It also lists open disputes, and the public key if the log is signed.

    \b
    arbitrator campaign show
    """
    slug, board = session.slug, session.tracker.boards.campaign(session.campaign)
    head, state, rulebook = board.head, board.state, board.rulebook
    battles, disputes = board.battles, board.disputes
    facts = {
        "campaign": slug,
        "name": state.name,
        "ruleset": state.book,
        "rulebook": rulebook.version,
        "gangs": len(state.gangs),
        "fighters": len(state.gang_of),
        "battles": len(battles),
        "open_disputes": len(disputes),
        "cycle": state.cycle.number if state.cycle is not None else None,
        "phase": state.cycle.phase if state.cycle is not None else None,
        "entries": head.entries,
        "events": head.size,
        "head": head.leaf_hex,
        "keys": list(board.vkeys),
    }
    cycle = state.cycle.name if state.cycle is not None else ""
    show(
        campaign_page(facts, next_battle=state.battle_number, cycle=cycle, game=rulebook.book.words),
        as_json=as_json,
    )


@command.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--parquet", is_flag=True, help="Write a table of events instead; 'campaign import' cannot read it."
)
@click.option("--names", is_flag=True, help="With --parquet: name the players.")
@as_json
@pass_session
def export(session: Session, file: Path, parquet: bool, names: bool, as_json: bool) -> None:
    """Write the whole campaign to one file.

    'campaign import' reads it on another machine or database (docs/formats/archive.md). With --parquet, FILE
    is a table of events for people who count, with players under pseudonyms (docs/formats/event-files.md).

    \b
    arbitrator campaign export ash-wastes.zip
    arbitrator --db elsewhere.db campaign import ash-wastes.zip
    arbitrator campaign export ash-wastes.parquet --parquet
    """
    if names and not parquet:
        raise click.UsageError("--names goes with --parquet: an archive is the whole log, names and all.")
    if parquet:
        from tracker.analytics import event_files
        from tracker.reports.analytics import events_written_page

        written = event_files.export_campaign(session.tracker.repository, session.campaign, file, names=names)
        session.note(f"The campaign's events are exported, as {file}")
        show(events_written_page(written, file, names=names), as_json=as_json)
        return
    exported = session.tracker.archives.export(session.campaign, file)
    session.note(f"The campaign is exported, as {file}")
    show(exported_page(exported), as_json=as_json)


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@as_json
@pass_session
def import_(session: Session, file: Path, as_json: bool) -> None:
    """Read an exported campaign: all of it, or nothing.

    The whole file is verified first. If this database holds an earlier state of the same campaign, only the
    new entries are added. A copy whose entries differ is refused.

    \b
    arbitrator campaign import ash-wastes.zip
    """
    with archive_reader.checked(file) as archive:  # before a database is created for it
        imported = session.beginning().archives.import_(archive)
    session.slug = imported.slug
    show(imported_page(imported, verify=session.typed("audit", "verify")), as_json=as_json)


@command.command("cycle")
@click.option("--phase", help="The phase, such as downtime. [default: the one that the book puts there]")
@click.option(
    "--number",
    type=click.IntRange(1, 999),
    help="The cycle's number, if earlier ones are not recorded here. [default: the next]",
)
@click.option(
    "--promote", multiple=True, metavar="FIGHTER=RANK:TYPE", help="Who is promoted, if this phase allows it."
)
@armoury_option
@reason
@dry_run
@as_json
@pass_session
def cycle(
    session: Session,
    phase: str | None,
    number: int | None,
    promote: tuple[str, ...],
    armoury: str | None,
    reason: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Begin the campaign's next cycle, with all its phase brings.

    In Downtime, recoveries are cleared and captives go home; their holders get half their value. Juves and
    Prospects with three advancements may rise (--promote vex=ganger:Ganger). Every gang has credits to spend,
    and loses what is left of them when the next cycle begins.

    \b
    arbitrator campaign cycle --phase downtime --reason "the season pauses"
    """
    lookup = PriceLookup(
        state=session.tracker.boards.state_at(session.campaign), armoury=armoury_of(session, armoury)
    )
    promotions = tuple(_promotion(fighter, lookup) for fighter in promote)
    begun = CommandWithDice(
        command=records.BeginCycle(
            reason=clean_note(reason), phase=phase, promotions=promotions, number=number
        )
    )
    played = session.tracker.commands.play(session.campaign, [begun], dry_run=dry_run)
    show_receipt(played, as_json=as_json)


@command.command("timeline")
@form_of("text", "md", "html", "json")
@as_json_option
@pass_session
def timeline_(session: Session, form: str, as_json: bool) -> None:
    """Tell the campaign's story so far.

    Battles, deaths, captures, house rules and rulings, in the order of play. Also counts losses and lasting
    injuries; as HTML they are pictures.

    \b
    arbitrator campaign timeline
    """
    boards = session.tracker.boards
    board = boards.holding(session.campaign, timeline.EVENTS)
    battles, _state = boards.battles(session.campaign)
    found = timeline.timeline(board.entries, battles, board.state)
    show(timeline.timeline_page(found, board.state, heading=board.state.name), form, as_json=as_json)


@command.command("use")
@click.argument("name")
@pass_session
def use(session: Session, name: str) -> None:
    """Choose the campaign for the commands that follow.

    \b
    arbitrator campaign use ash-wastes
    """
    if (service := session.service) is not None:
        from tracker.cli import remote  # not above: few commands leave this machine

        remote.ask(service, f"/v1/campaigns/{quote(name, safe='')}")
        session.choose(name, at=service.url)
    else:
        session.tracker.directory.campaign_id(name)
        session.choose(name)
    session.note(f"Campaign {name!r} is chosen")
    show(f"Campaign {name!r} is chosen.")


command.add_command(publish.command)


def _promotion(said: str, lookup: PriceLookup) -> records.PromoteFighter:
    fighter, _, rise = said.partition("=")
    to, _, kind = rise.partition(":")
    if not (fighter and to and kind):
        raise click.UsageError(f"--promote {said}: write who rises and to what: vex=ganger:Ganger.")
    command = stated(Promote, fighter=fighter, to=to, type=kind).command_at(lookup)
    assert isinstance(command, records.PromoteFighter), "a promotion promotes"
    return command


@command.command("visibility")
@click.argument("who", type=click.Choice(VISIBILITIES), required=False)
@as_json
@pass_session
def visibility(session: Session, who: Visibility | None, as_json: bool) -> None:
    """Show or set who reads the campaign through the service.

    private: its members. public: everybody.

    \b
    arbitrator campaign visibility public
    """
    people, campaign = session.tracker.people, session.campaign
    if who is not None:
        people.set_visibility(campaign, who)
    visible_to = people.visibility(campaign)
    line = "Everybody may read it." if visible_to == "public" else "Only its members may read it."
    show(done_page(line, {"visibility": visible_to}), as_json=as_json)


@command.command("dice")
@click.argument("whose", type=click.Choice(DICE_FROM), required=False)
@as_json
@pass_session
def dice(session: Session, whose: DiceFrom | None, as_json: bool) -> None:
    """Show or set whose dice the pages offer first.

    table: those that are rolled on the table and typed in. tool: the tool rolls. Both always count.

    \b
    arbitrator campaign dice tool
    """
    people, campaign = session.tracker.people, session.campaign
    if whose is not None:
        people.set_dice(campaign, whose)
    dice_from = people.dice(campaign)
    line = "The tool rolls the dice." if dice_from == "tool" else "Dice are rolled on the table."
    show(done_page(line, {"dice": dice_from}), as_json=as_json)


@command.command("recorders")
@click.argument("who", type=click.Choice(RECORDERS), required=False)
@as_json
@pass_session
def recorders(session: Session, who: Recorders | None, as_json: bool) -> None:
    """Show or set who records battles through the service.

    arbitrators: only Arbitrators. players: also players whose gang fought. coaches: a report that a player
    proposes counts once a player of every gang that fought has confirmed it.

    \b
    arbitrator campaign recorders coaches
    """
    people, campaign = session.tracker.people, session.campaign
    if who is not None:
        people.set_who_records(campaign, who)
    recording = people.who_records(campaign)
    show(done_page(_RECORDERS[recording], {"battles": recording}), as_json=as_json)


@command.command("armoury")
@click.argument("file", required=False)
@click.option("--none", "drop", is_flag=True, help="Keep none any more.")
@as_json
@pass_session
def armoury(session: Session, file: str | None, drop: bool, as_json: bool) -> None:
    """Keep the table's armoury with the campaign, for everybody.

    FILE is an armoury (armoury/1); - reads standard input. Whoever buys, hires or advances then needs no file
    of their own. Without FILE, the command shows what is kept. What was bought stays as it was bought.

    \b
    arbitrator campaign armoury sump-market.yaml
    """
    people, campaign = session.tracker.people, session.campaign
    book = session.tracker.boards.state_at(campaign).book
    if file is not None:
        text = text_of(file)
        armoury_kept(text, book)
        people.keep_armoury(campaign, text)
    elif drop:
        people.keep_armoury(campaign, None)
    kept = armoury_kept(people.armoury(campaign), book)
    if kept is None:
        show(done_page("The campaign keeps no armoury.", {"armoury": None}), as_json=as_json)
    else:
        show(armoury_page(kept, cards.words_of(book)), as_json=as_json)


_RECORDERS: Final[Mapping[Recorders, str]] = {
    "arbitrators": "Arbitrators record the battles.",
    "players": "Players record the battles of their own gangs.",
    "coaches": "A battle counts once a player of every gang that fought confirms its report.",
}
