"""`arbitrator odds`: exact chances of exchange files and of tables."""

from fractions import Fraction

import pytest
from cli_arbitrator import Arbitrator
from exchange_files import EXAMPLE, HEAD, NUMBERS, exchange, hit
from tables import every


def test_every_end_has_its_fraction_and_percent(empty: Arbitrator) -> None:
    """4 against 3 wounds on 3+, a 5+ save behind AP -1 needs a 6, the Injury die has 2, 3 and 1 of 6."""
    assert empty.done("odds", empty.write(exchange(hit()))).out == (
        "By necromunda_2023@1, before any die of it is cast. Exact, nothing sampled.\n"
        "hit: Krug's autogun on Mags\n"
        "\n"
        "Mags                             Chance  Percent\n"
        "unhurt                           4/9     44.44 %\n"
        "1 Wound lost, 1 Flesh Wound      5/27    18.52 %\n"
        "1 Wound lost, Seriously Injured  5/18    27.78 %\n"
        "Out of Action                    5/54    9.26 %\n"
    )


def test_programs_get_exact_numbers(empty: Arbitrator) -> None:
    odds = empty.read("odds", empty.write(exchange(hit())))
    ends = odds["models"]["mags"]["ends"]
    assert ends[-1] == {
        "end": {"out_of_action": True},
        "words": ["Out of Action"],
        "chance": "5/54",
        "numerator": 5,
        "denominator": 54,
        "percent": "9.26 %",
    }
    assert sum(Fraction(end["chance"]) for end in ends) == 1
    assert sum(Fraction(end["chance"]) for end in odds["together"]) == 1


def test_dice_that_lie_there_are_passed_over_but_what_came_before_counts(empty: Arbitrator) -> None:
    plain = empty.read("odds", empty.write(exchange(hit())))
    assert empty.read("odds", empty.write(exchange(hit("wound: [1]")))) == plain
    before = "before:\n  - {flesh_wound: {fighter: mags, by: krug}}\n"
    weakened = empty.read("odds", empty.write(exchange(hit(), more=before)))
    # Toughness 2 is wounded on 2+.
    hurt = Fraction(5, 6) * Fraction(5, 6)
    assert Fraction(weakened["models"]["mags"]["ends"][0]["chance"]) == 1 - hurt


def test_dice_of_what_came_before_must_be_there(empty: Arbitrator) -> None:
    before = f"before:\n  - {hit()}\n"
    said = empty.refused(2, "odds", empty.write(exchange(hit(), more=before)))
    assert "before 1 (hit), line 19: a D6 is missing: 'wound'" in said


def test_lasting_injuries_on_request(empty: Arbitrator) -> None:
    file = empty.write(EXAMPLE)
    assert "Lasting Injury roll shows" not in empty.done("odds", file).out
    odds = empty.read("odds", file, "--lasting")
    (mags,) = odds["models"].values()
    out = Fraction(mags["ends"][-1]["chance"])
    rows = {injury["row"]: Fraction(injury["chance"]) for injury in mags["lasting"]}
    assert rows["Out Cold"] == out * Fraction(8, 36)
    assert sum(rows.values()) == out
    assert "Mags: chance that a Lasting Injury roll shows" in empty.done("odds", file, "--lasting").out


def test_several_models_are_distinguished_and_gathered(empty: Arbitrator) -> None:
    other = "{hit: {attacker: krug, weapon: autogun, target: dot}}"
    said = empty.done("odds", empty.write(exchange(hit(), other))).out
    assert "\nMags " in said
    assert "\nDot " in said
    assert "\nTogether" in said
    # 4/9 of 1/3: Dot wears no armour.
    assert "Mags unhurt; Dot unhurt" in said.replace("Dot unhurt; Mags unhurt", "Mags unhurt; Dot unhurt")
    assert " 4/27 " in said


FRAG = "{name: frag, S: 3, AP: 0, D: 1, traits: [Blast (3)], range: {long: 9}, ammo: 4+}"


@pytest.mark.parametrize(
    ("scattered", "unhurt"), [("", "1/36"), (", under_scatter: [dot]", "1/2"), (", under_scatter: []", "1/2")]
)
def test_where_a_marker_ends_that_scatters_is_said_or_it_is_said_what_is_taken_for_granted(
    empty: Arbitrator, scattered: str, unhurt: str
) -> None:
    """Half the shots miss; of those the 1 in 18 that go wrong never reach Mags, and the others only as stated."""
    thrown = f"{{shoot: {{attacker: krug, weapon: {FRAG}, target: mags, range: long, under_marker: [mags]{scattered}}}}}"
    file = empty.write(exchange(thrown))
    odds = empty.read("odds", file)
    fresh = [end["chance"] for end in odds["models"]["mags"]["ends"] if not end["end"]]
    assert fresh == [unhurt]
    noted = "hit wherever it ends" in empty.done("odds", file).out
    assert noted == bool(odds["notes"]) == (not scattered)


def test_a_table_is_printed_with_its_chances(empty: Arbitrator) -> None:
    said = empty.done("odds", "--table", "lasting_injuries").out
    assert said.startswith("Lasting Injury Table [Necromunda Core Rulebook (2023) · Lasting Injury Table]\n")
    assert "15-26  Out Cold            8/36  2/9     22.22 %\n" in said
    odds = empty.read("odds", "--table", "lasting_injuries")
    assert sum(Fraction(line["chance"]) for line in odds["lines"]) == 1


def test_a_table_of_another_book_and_a_chart_with_another_pool(empty: Arbitrator) -> None:
    archive = empty.read("odds", "--table", "lasting_injuries", "--book", "necromunda_archive")
    assert "Archived" in archive["source"]
    chart = empty.read("odds", "--table", "injury_chart", "--dice", "3D6kh2", "--modifier", "-1")
    assert chart["dice"] == "3D6kh2-1"
    assert [line["ways"] for line in chart["lines"]] == [1, 68, 70, 77]


@every(
    ("words", "said"),
    [
        ((), "Give an exchange FILE, or --table NAME."),
        (("x.yaml", "--table", "lasting_injuries"), "Give an exchange FILE, or --table NAME."),
        (("x.yaml", "--book", "necromunda_2023"), "go with --table"),
        (("x.yaml", "--dice", "2D6"), "go with --table"),
        (("--table", "lasting_injuries", "--lasting"), "--lasting goes with an exchange FILE"),
        (("--table", "lasting_injurys"), "Did you mean 'lasting_injuries'"),
        (("--table", "lasting_injuries", "--book", "nonsense"), "There is no rulebook 'nonsense'"),
        (("--table", "lasting_injuries", "--dice", "2D6"), "takes no other dice"),
        (("--table", "injury_chart", "--dice", "9D6"), "is no pool of dice"),
        (("x.yaml",), "x.yaml"),
    ],
)
def test_what_makes_no_sense_is_refused(empty: Arbitrator, words: tuple[str, ...], said: str) -> None:
    assert said in empty.refused(2, "odds", *words)


def test_an_exchange_that_is_refused_has_no_odds(empty: Arbitrator) -> None:
    assert "lasgun" in empty.refused(
        2, "odds", empty.write(exchange("{hit: {attacker: krug, weapon: lasgun, target: mags}}"))
    )


@pytest.mark.usefixtures("wide")
def test_models_that_tell_nothing_of_each_other_are_distinguished_where_together_would_be_too_long(
    empty: Arbitrator,
) -> None:
    """Six models with four ends each have 4,096 together."""
    fighters = "".join(f"      - {{name: Rat {n}, characteristics: {NUMBERS}}}\n" for n in range(6))
    head = HEAD.replace(f"      - name: Dot\n        characteristics: {NUMBERS}\n", fighters)
    hits = [hit(target=f"rat-{n}").replace("target: mags, ", "") for n in range(6)]
    file = empty.write(exchange(*hits, head=head))
    out = empty.done("odds", file).out
    assert out.endswith(
        "4,096 ends together are too many to list. Multiply the chances of these, which are independent:"
        " Rat 0; Rat 1; Rat 2; Rat 3; Rat 4; Rat 5.\n"
    )
    odds = empty.read("odds", file)
    assert odds["together"] is None
    assert [part["models"] for part in odds["independent"]] == [[f"rat-{n}"] for n in range(6)]
    assert all(sum(Fraction(end["chance"]) for end in part["ends"]) == 1 for part in odds["independent"])
    two = empty.read("odds", empty.write(exchange(*hits[:2], head=head)))
    assert len(two["together"]) == 16
