"""Publishes a campaign as a folder of HTML pages for any web space; unchanged files are not rewritten."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from tracker.cli.options import as_json, pass_session, progress, show
from tracker.cli.session import Session
from tracker.documents.nodes import shown
from tracker.errors import BadInput
from tracker.records import replace
from tracker.reports import board_pages, disputes, fighter, log, roster, standings
from tracker.reports.battle import words_in_battle
from tracker.reports.html import Link
from tracker.reports.names import Names
from tracker.reports.page import Heading, Page, Text
from tracker.reports.site import INDEX, SitePage, file_of, written
from tracker.service.boards import Boards

LISTED = "pages.json"
"""The list of the site's files in the folder."""
ENTRIES_A_PAGE = 500


class FolderNotOurs(BadInput):
    """{folder} holds other files, and they were left alone. Give a new or an empty folder."""

    folder: str


class FolderUnusable(BadInput):
    """{folder} cannot be written: {why}. Name another folder."""

    folder: str
    why: str


@click.command("publish")
@click.argument("folder")
@as_json
@pass_session
def command(session: Session, folder: str, as_json: bool) -> None:
    """Write the campaign to FOLDER as web pages.

    The pages show standings, gangs, fighters, battles, disputes and the log. They link only to each other,
    need no script and can be put on any web space. Publishing again writes only what changed, and deletes
    pages that are out of date.

    \b
    arbitrator campaign publish site
    """
    campaign, boards = session.campaign, session.tracker.boards
    title, index, pages = boards.read_consistently(lambda: _site(boards, campaign))
    target = Path(folder)
    with progress("Pages written") as tell:
        changed, gone = _write(target, _counted(written(index, title, pages), len(pages) + 1, tell))
    session.note(f"{folder} published")
    where = shown(str(target / INDEX), characters_max=200)
    facts = {"index": where, "pages": len(pages) + 1, "written": changed, "removed": gone}
    lines = [f"{len(pages) + 1} pages, {changed} written, {gone} deleted. Open {where}"]
    show(Page(schema="publish", data=lambda: facts, blocks=lambda: [[Text(lines)]]), as_json=as_json)


def _site(boards: Boards, campaign: str) -> tuple[str, Page, list[SitePage]]:
    board = boards.campaign(campaign)
    names, title = Names.of_state(board.state), board.state.name
    pages = [
        *_gang_pages(boards, campaign, names),
        *_battle_pages(boards, campaign),
        *_other_pages(boards, campaign),
    ]
    index = standings.standings_board_page(boards.standings(campaign, with_history=True), heading=title)
    return title, index, pages


def _gang_pages(boards: Boards, campaign: str, names: Names) -> Iterator[SitePage]:
    whole = boards.roster(campaign, with_history=True)
    for gang in whole.gangs:
        held = [row for row in whole.fighters if gang["gang"] in (row["gang"], row["held_by"])]
        page = roster.roster_page(
            [gang],
            held,
            heading=gang["name"],
            pending=whole.disputes,
            dependents=whole.dependents,
            names=roster.board_names(whole.gangs, whole.fighters),
            history=whole.history,
        )
        file = file_of("gang", gang["gang"])
        own = [row for row in whole.fighters if row["gang"] == gang["gang"]]
        members = tuple(Link(row["name"], file_of("fighter", row["fighter"])) for row in own)
        yield SitePage(file=file, text=gang["name"], page=page, under="Gangs", above=members)
        for row in own:
            card = boards.fighter(campaign, lambda _state, row=row: row["fighter"])  # type: ignore[misc]
            yield SitePage(
                file=file_of("fighter", row["fighter"]),
                text=row["name"],
                page=fighter.fighter_page(
                    card.row,
                    card.gang,
                    card.events,
                    names,
                    pending=card.pending.disputes,
                    dependents=card.pending.dependents,
                    in_battle=words_in_battle(card.state, row["fighter"]),
                ),
                above=(Link(gang["name"], file),),
            )


def _battle_pages(boards: Boards, campaign: str) -> Iterator[SitePage]:
    rows, _ = boards.battles(campaign)
    for row in rows:
        page = board_pages.battle_board_page(boards.battle(campaign, row["battle"]))
        text = f"{row['number']}. {row['scenario']}, {row['date']}"
        yield SitePage(file=file_of("battle", str(row["battle"])), text=text, page=page, under="Battles")


def _other_pages(boards: Boards, campaign: str) -> Iterator[SitePage]:
    disputed = disputes.disputes_page(boards.disputes(campaign))
    yield SitePage(file="disputes.html", text="Disputes", page=_titled(disputed, "Disputes"), under="More")
    rules = board_pages.policy_history_board_page(boards.policy_history(campaign))
    yield SitePage(
        file="house-rules.html", text="House rules", page=_titled(rules, "House rules"), under="More"
    )
    whole = boards.log(campaign, find=lambda _state: None)
    struck = log.struck_out_by_rows(whole.rows)
    for first in range(0, len(whole.entries), ENTRIES_A_PAGE):
        part = whole.entries[first : first + ENTRIES_A_PAGE]
        title = f"Log, entries {part[0][0].entry} to {part[-1][0].entry}"
        page = log.log_page(part, Names.of_state(whole.state), struck=struck)
        yield SitePage(
            file=f"log-{first // ENTRIES_A_PAGE + 1}.html",
            text=title,
            page=_titled(page, title),
            under="More",
        )


def _titled(page: Page, title: str) -> Page:
    """The page, under a heading."""
    blocks = page.blocks
    return replace(page, title=title, blocks=lambda: [[Heading(title)], *blocks()])


# --- the folder --------------------------------------------------------------------------------------------


def _counted(
    pages: Iterator[tuple[str, str]], total: int, tell: Callable[[int, int], None]
) -> Iterator[tuple[str, str]]:
    for done, page in enumerate(pages, start=1):
        yield page
        tell(done, total)


def _write(folder: Path, pages: Iterator[tuple[str, str]]) -> tuple[int, int]:
    """Write the pages; returns how many files were written and deleted. Touches only the site's own files."""
    name = shown(str(folder), characters_max=200)
    changed, files = 0, []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _listed(folder, name)
        for file, content in pages:
            files.append(file)
            path, wanted = folder / file, content.encode()
            if not path.is_file() or path.read_bytes() != wanted:
                path.write_bytes(wanted)
                changed += 1
        gone = [file for file in before if file not in files and (folder / file).is_file()]
        for file in gone:
            (folder / file).unlink()
        (folder / LISTED).write_text(json.dumps(sorted(files), indent=0) + "\n")
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or "its name cannot be a folder's"
        raise FolderUnusable(folder=name, why=why) from wrong
    return changed, len(gone)


def _listed(folder: Path, name: str) -> list[str]:
    """The site's files by the folder's own list. Raises FolderNotOurs."""
    if not any(folder.iterdir()):
        return []
    try:
        listed = json.loads((folder / LISTED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        listed = None
    if not isinstance(listed, list) or INDEX not in listed:
        raise FolderNotOurs(folder=name)
    return [file for file in listed if isinstance(file, str) and Path(file).name == file]
