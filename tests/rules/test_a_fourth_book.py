"""A fourth book needs a folder of its own and nothing else: shown with one that was made up."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import made_up_book
import pytest
from scenario import KRUG, MAGS, VEX, card
from tables import every

import tracker
from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Judgement, decide
from tracker.campaign.steps.dispatch import refuse_unsupported_game
from tracker.dice import D3, D6, D66, DiceTray, Die, read_die
from tracker.rules import loader
from tracker.rules.rulebook import BookHasNo, Rulebook

BOOK = loader.build_book(made_up_book.files(), where=made_up_book.BOOK)
GUN = WeaponProfile(name="gun", strength=8, damage=1)


def library(name: str, patches: Sequence[tuple[str, Mapping[str, str]]]) -> Rulebook:
    """The made-up book alone."""
    assert (name, patches) == (made_up_book.BOOK, []) or (name, patches) == (made_up_book.BOOK, ())
    settings = {knob.name: knob.printed for knob in BOOK.knobs.values()}
    return Rulebook(book=BOOK, settings=settings, version="sump_quarrels@1", digest=BOOK.digest)


def played(*asked: tuple[object, tuple[Die, ...]]) -> list[Judgement]:
    """Krug against Mags and Vex under the made-up book, then what is asked."""
    gangs = {"skulls": (KRUG,), "saints": (MAGS, VEX)}
    before: list[tuple[object, tuple[Die, ...]]] = [
        (records.OpenCampaign(name="Test", slug="test", book=made_up_book.BOOK), ())
    ]
    for gang, fighters in gangs.items():
        cards = tuple(card(name) for name in fighters)
        enlist = records.EnlistGang(
            gang=gang, name=gang, house="House", player="P", credits=0, reputation=0, fighters=cards
        )
        before.append((enlist, ()))
    before.append(
        (
            records.OpenBattle(
                battle="b1", scenario="Quarrel", date="2026-01-01", crews=dict.fromkeys(gangs, ())
            ),
            (),
        )
    )
    state, judgements = CampaignState(), []
    for entry, (command, dice) in enumerate([*before, *asked], start=1):
        judgements.append(decide(state, command, DiceTray(dice), library, entry=entry))  # type: ignore[arg-type]
        state = judgements[-1].state
    return judgements[len(before) :]


def events(judgement: Judgement) -> list[records.Event]:
    return [decided.event for decided in judgement.events]


def test_a_hit_is_resolved_by_the_made_up_dice_table_and_sections() -> None:
    special = BOOK.injury_dice["grim"]
    hit, again = played(
        (
            records.ResolveHit(target=VEX, attacker=KRUG, profile=GUN),
            (
                read_die("wound", D6, 2),
                read_die("injury", "injury", 2, special=special),
                read_die("lasting_injury", D66, "34"),
            ),
        ),
        (
            records.StateOutcome(target=MAGS, outcome="out_of_action", attacker=KRUG, out_of_action_dice=3),
            (read_die("lasting_injury", D66, "11"), read_die("sulk", D3, 2)),
        ),
    )
    vex, mags, krug = (again.state.fighter(name) for name in (VEX, MAGS, KRUG))
    assert None not in (vex, mags, krug)
    assert (vex.characteristics["cool"], vex.recovering_since) == (10, 1)
    assert (mags.convalescing, mags.experience) == (True, 2)
    assert krug.experience == 5 + 5
    sections = [event.section for event in events(hit) if isinstance(event, records.RollMade)]
    assert sections == [
        "Sump Quarrels · Wound Roll",
        "Sump Quarrels · Injury Dice",
        "Sump Quarrels · Lasting Injury Table",
    ]


def test_what_the_book_has_not_is_refused_by_name() -> None:
    with pytest.raises(BookHasNo, match="Sump Quarrels has no vehicle damage"):
        BOOK.chart("vehicle_damage")


def test_no_file_of_the_program_knows_the_made_up_book() -> None:
    for file in Path(tracker.__file__).parent.rglob("*.py"):
        assert "sump_quarrels" not in file.read_text(encoding="utf-8")


@every(
    ("command", "part"),
    [
        (records.Shoot(attacker="mags", target="vex", weapon="gun"), "shooting"),
        (records.Reload(fighter="mags", weapon="gun"), "shooting"),
        (records.Fight(attacker="mags", targets=(records.FightTarget(model="vex"),)), "close combat"),
    ],
)
def test_a_chapter_that_the_book_has_not_is_refused_by_name(command: records.Command, part: str) -> None:
    with pytest.raises(BookHasNo, match=f"no rules for {part}"):
        refuse_unsupported_game(BOOK, command)
