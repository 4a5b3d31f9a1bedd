"""Every table and every line of prose fits 80 columns, and nothing of it is lost there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from report_examples import CARD, DISPUTE_ROW, NAMES, entry_57, fighter_row, gang_row, recorded
from rich.cells import cell_len
from tables import every

from tracker.campaign import records
from tracker.campaign.state import PolicyInForce
from tracker.reports import (
    battle,
    campaign,
    disputes,
    fighter,
    holdings,
    log,
    odds,
    policy,
    roster,
    rules,
    standings,
)
from tracker.reports.escaping import for_terminal
from tracker.reports.page import Block, DataTable, Page, Section
from tracker.reports.rendering import render
from tracker.reports.terminal_text import table_text, wrapped_line
from tracker.rules import loader
from tracker.rules.chances import table_chances

WIDTH = 80
LONG = "Brother Ezekiel the Unforgiving of the Third Ashfall"
INJURIES = [
    {"injury": name, "name": name.title(), "counted_as": name} for name in ("hobbled", "eye injury", "scars")
]
GANGS = [
    gang_row(name=LONG, player="Maximilian von Ash", rating_credits=12_345),
    gang_row(gang="hawks", name="Iron Hawks", stash=[{"name": LONG, "kind": "wargear", "cost_credits": 5}]),
]
FIGHTERS = [
    fighter_row(
        name=LONG, injuries=INJURIES, skills=["fearsome", "iron_jaw", "nerves_of_steel"], mutations=["horns"]
    ),
    fighter_row(fighter="vex", name="Vex"),
    fighter_row(fighter="hob", name=LONG, standing="dead", status="dead"),
]
RIG = {
    "vehicle": "rig", "name": LONG, "crew": "mags", "movement": 7, "toughness": [5, 5, 4], "hit_points": 3, "handling": 6,
    "save": 5, "weapons": ["heavy stubber", "spike gun"], "lasting_damage": ["Loss of Power"], "in_repair": True,
    "cost_credits": 90,
}  # fmt: skip
BATTLE = {
    "battle": "the-long-night-at-the-sump-works", "number": 30, "scenario": LONG, "date": "2026-03-01",
    "status": "closed", "crews": [{"gang": "hawks", "fighters": []}, {"gang": "rats", "fighters": []}],
    "winner": "hawks", "drawn": False,
}  # fmt: skip
CAPTIVE = {
    "fighter": "mags", "name": LONG, "gang": "rats", "gang_name": "Sump Rats", "held_by": "hawks",
    "held_by_name": "Iron Hawks", "rescue": None, "works_at": "old-ruins", "cost_credits": 100, "guilders_pay": 50,
}  # fmt: skip
WARBAND = {
    "gang": "rats", "name": LONG, "ducats": 800, "glory": 3, "threshold_ducats": 900, "field_strength": 11, "elite": 2,
    "elite_most": 6, "promotion_failures": 1, "may_learn": [LONG], "held_for_ransom": ["Vex"],
}  # fmt: skip
MOVED = {
    "seq": 5, "entry": 1234, "position": 12, "slot": 1234, "kind": "credits", "amount": 25, "source": "@income",
    "target": "rats", "why": LONG, "section": "s", "at": "2026-03-01T20:14:09Z", "battle": "quiet-night", "thing": "",
    "item": None,
}  # fmt: skip
TYPED = disputes.TypedRoll(
    address="1234.12",
    typed_in_by=LONG,
    purpose="wound",
    shown="4",
    fighter="mags",
    witnesses=[],
    struck_by=None,
)
HELD = PolicyInForce(
    policy="one-lasting-injury-roll", version=1, title=LONG, source=LONG, patch={}, from_battle=5, reason=""
)

POLICY = records.PolicyAdopted(
    policy="one-lasting-injury-roll", version=1, title=LONG, source=LONG, patch={}, from_battle=5, reason=LONG * 2
)  # fmt: skip


def rule_pages() -> Iterator[Page]:
    """Every table and every other part of every book."""
    books = [loader.book(name) for name in loader.book_names()]
    policies, presets = list(loader.policies().values()), list(loader.presets().values())
    yield rules.rules_page(books, {}, policies, presets)
    for book in books:
        for table in (*book.tables.values(), *book.charts.values()):
            yield rules.table_page(book, table)
            yield odds.table_odds_page(table_chances(book, table.id))
        for part, content in loader.book_files(book.book).items():
            yield rules.part_page(book, part, content)


def pages() -> Iterator[Page]:
    """An example of every report that has a table."""
    yield roster.roster_page(
        [{**GANGS[0], "vehicles": [RIG]}, GANGS[1]], FIGHTERS, pending=[DISPUTE_ROW], names=NAMES
    )
    yield roster.gangs_page(GANGS)
    yield standings.standings_page(GANGS)
    yield battle.battles_page([BATTLE], NAMES)
    yield campaign.campaigns_page(
        [{"slug": LONG, "name": LONG, "ruleset": "necromunda_2023", "created_at": "2026-03-01"}]
    )
    yield holdings.captives_page([CAPTIVE])
    yield holdings.territories_page(
        [{"territory": LONG, "name": LONG, "kind": "old_ruins", "holder_name": LONG}]
    )
    yield holdings.warbands_page([WARBAND], NAMES)
    yield holdings.stash_page({**GANGS[1], "vehicles": [{**RIG, "crew": ""}]}, NAMES)
    yield disputes.disputes_page([{**DISPUTE_ROW, "reason": LONG * 3, "raised_by": LONG}])
    yield disputes.dice_audit_page([TYPED], NAMES)
    yield policy.policies_page([], [HELD])
    yield from rule_pages()


def tables(blocks: Iterable[Block]) -> Iterator[DataTable]:
    for block in blocks:
        for part in block:
            if isinstance(part, DataTable):
                yield part
            elif isinstance(part, Section):
                yield from tables(part.blocks)


def words(cells: Sequence[Any]) -> set[str]:
    return {
        word
        for cell in cells
        for word in for_terminal("" if cell is None else cell).split()
        if len(word) <= 20
    }


@every("width", [80, 60])
def test_every_table_fits_80_columns_and_keeps_every_word(width: int) -> None:
    shown = [table for page in pages() for table in tables(page.blocks())]
    assert len(shown) > 50
    for table in shown:
        text = table_text(table, width=width)
        assert max(map(cell_len, text.split("\n"))) <= width, text
        printed = set(text.split())
        assert words([*table.columns, *(cell for row in table.rows for cell in row)]) <= printed, text


def test_a_table_is_read_by_its_first_columns_in_every_part() -> None:
    page = roster.roster_page([gang_row()], [fighter_row()], names=NAMES)
    card = next(tables(page.blocks()))
    parts = table_text(card, width=WIDTH).split("\n\n")
    assert [part.split("\n")[0].split()[:2] for part in parts] == [["Fighter", "Rank"], ["Fighter", "XP"]]
    assert all(part.split("\n")[1].startswith("Mags") for part in parts)
    assert set(CARD) > {"movement"}


def test_odds_fit_80_columns_too() -> None:
    table = odds.chances_table("Mags", [(LONG, Fraction(1, 3))])
    assert max(map(len, table_text(table, width=40).split("\n"))) <= 40


# Prose


@every("width", [80, 60])
def test_every_line_of_every_report_fits_80_columns_and_keeps_every_word(width: int) -> None:
    for page in (*pages(), *prose_pages()):
        whole, wrapped = (render(page, width=room) for room in (None, width))
        assert max(map(cell_len, wrapped.split("\n"))) <= width, wrapped
        assert words([whole]) <= set(wrapped.split()), wrapped


def prose_pages() -> Iterator[Page]:
    """Reports that are lines."""
    yield log.log_page([entry_57()], NAMES)
    yield log.entry_page(entry_57(), NAMES)
    yield log.receipt_page([entry_57()], NAMES, notes=[LONG * 3])
    yield log.events_page(entry_57()[1:], NAMES)
    yield fighter.fighter_page(FIGHTERS[0], GANGS[0], entry_57(), NAMES, pending=[DISPUTE_ROW])
    yield battle.battle_page({**BATTLE, "entry": 50}, [entry_57()], NAMES)
    yield policy.policy_history_page(
        [recorded(POLICY, seq=9, entry=3, position=2)], NAMES, adopted=[HELD], next_battle=5
    )


def wrap(line: str, width: int = 40) -> list[str]:
    return list(wrapped_line(line, width))


def test_a_long_line_is_wrapped_under_its_own_beginning() -> None:
    assert wrap("rating 588 credits · stash 97 credits · Reputation 6") == [
        "rating 588 credits · stash 97 credits ·",
        "  Reputation 6",
    ]
    # Short columns stay apart from what goes on, unless nothing would be left beside them.
    assert wrap("    5.4  Injury die: Serious Injury [Resolve Hits]", 40) == [
        "    5.4  Injury die: Serious Injury",
        "         [Resolve Hits]",
    ]
    assert wrap("57  2026-03-01 20:14  vic  hit: Krug's autogun on Mags", 60) == [
        "57  2026-03-01 20:14  vic  hit: Krug's autogun on Mags"
    ]
    assert wrap("57  2026-03-01 20:14  vic  hit: Krug's autogun on Mags again", 58) == [
        "57  2026-03-01 20:14  vic  hit: Krug's autogun on Mags",
        " " * 27 + "again",
    ]


def test_the_branches_of_a_tree_are_wrapped_too() -> None:
    line = "│  ├─ 3.2  gang The Gilded Cage enlists with all its fighters"
    assert wrap(line, 50) == [
        "│  ├─ 3.2  gang The Gilded Cage enlists with all",
        "│  │       its fighters",
    ]
    assert wrap(line.replace("├", "└"), 50)[1] == "│          its fighters"


def test_a_command_is_never_cut_and_a_long_word_is() -> None:
    command = "  arbitrator dispute rule 10 --faces 6-6 --strategy keep-later --reason TEXT"
    assert wrap(command) == [command]
    assert wrap("x" * 50) == ["x" * 38, "  " + "x" * 12]


def test_two_spaces_within_a_sentence_stay() -> None:
    line = "Krug gains 2 XP for taking Mags Out of Action  => 6 -> 8, which is what the board says"
    assert "Action  => 6" in " ".join(wrap(line, 60))
