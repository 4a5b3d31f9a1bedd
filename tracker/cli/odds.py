"""Odds: exact chances of an exchange or of a table."""

from __future__ import annotations

import click

from tracker.campaign.odds.exchange_odds import odds
from tracker.cli.options import as_json, show
from tracker.reports.odds import odds_page, table_odds_page
from tracker.rules import loader
from tracker.rules.chances import table_chances


@click.command("odds")
@click.argument("file", required=False)
@click.option("--lasting", is_flag=True, help="Also: how likely each row of the Lasting Injury table is.")
@click.option("--table", metavar="NAME", help="The chances of a table or chart instead of an exchange.")
@click.option(
    "--book", metavar="NAME", help="The table's book. [default: necromunda_2023, else one that has it]"
)
@click.option("--dice", metavar="POOL", help="For a chart: other dice, such as 3D6 or 3D6kh2 (two highest).")
@click.option("--modifier", type=click.IntRange(-20, 20), default=0, help="For a chart: added to the total.")
@as_json
def command(
    file: str | None,
    lasting: bool,
    table: str | None,
    book: str | None,
    dice: str | None,
    modifier: int,
    as_json: bool,
) -> None:
    """Show the exact chances of an exchange or a table.

    FILE is an exchange file; - reads standard input. These are the chances before any die is rolled: dice in
    the exchange do not count, but dice under 'before' do.

    \b
    arbitrator odds shot.yaml
    arbitrator odds --table lasting_injury
    """
    if (file is None) == (table is None):
        raise click.UsageError("Give an exchange FILE, or --table NAME.")
    if table is not None:
        if lasting:
            raise click.UsageError("--lasting goes with an exchange FILE.")
        chances = table_chances(loader.book(book or _book_with(table)), table, pool=dice, modifier=modifier)
        show(table_odds_page(chances), as_json=as_json)
        return
    if book is not None or dice is not None or modifier:
        raise click.UsageError(
            "--book, --dice and --modifier go with --table; a file names its own rulebook."
        )
    assert file is not None, "either a file or a table"
    _exchange(file, lasting=lasting, as_json=as_json)


def _exchange(file: str, *, lasting: bool, as_json: bool) -> None:
    from tracker.documents.judge_file import setting_of  # not above: a table needs no file formats
    from tracker.documents.yaml_reader import read_document

    chances = odds(setting_of(read_document(file)), loader.rulebook, lasting=lasting)
    show(odds_page(chances), as_json=as_json)


def _book_with(table: str) -> str:
    """The book of a table when nobody says: the default book, else the first that has it."""
    books = loader.book_names()
    having = [name for name in books if table in {**loader.book(name).tables, **loader.book(name).charts}]
    default = "necromunda_2023"
    return default if default in having or not having else having[0]
