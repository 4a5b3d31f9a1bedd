"""`audit dice`: how the faces fell and what became of the dice, each die once, and words that accuse nobody."""

from cli_arbitrator import Arbitrator

from tracker.reports.fair_dice import CANNOT_KNOW

LASTING_INJURY = "10.8"
"""Quill's Lasting Injury roll of 4-6."""


def shares(season: Arbitrator) -> dict[str, int]:
    """What became of all dice together."""
    rows = season.read("audit", "dice")["rates"]
    return {
        key: sum(row[key] or 0 for row in rows)
        for key in ("dice", "kept", "voided", "corrected", "unwitnessed")
    }


def fallen(season: Arbitrator, die: str) -> dict[str, int]:
    """How often each face of a kind of die fell, whoever rolled."""
    counts: dict[str, int] = {}
    for row in season.read("audit", "dice")["fairness"]:
        for face, fell in row["counts"].items() if row["die"] == die else ():
            counts[face] = counts.get(face, 0) + fell
    return {face: fell for face, fell in counts.items() if fell}


def ruled(season: Arbitrator, *words: str) -> None:
    season.done("dispute", "open", LASTING_INJURY, "--by", "Robin", "--reason", "cocked die")
    dispute = str(season.head["entries"])
    season.done("dispute", "rule", dispute, *words, "--reason", "so it was", *season.seen())


def test_every_die_is_counted_by_whose_it_is(season: Arbitrator) -> None:
    # Six dice: 3-3 for Wren, 5, 2, out of action and 4-6 about Quill, 2-1 for Tallow.
    assert shares(season) == {"dice": 6, "kept": 6, "voided": 0, "corrected": 0, "unwitnessed": 6}
    assert fallen(season, "D66") == {"1": 1, "2": 1, "3": 2, "4": 1, "6": 1}
    assert fallen(season, "D6") == {"2": 1, "5": 1}
    assert fallen(season, "injury") == {"out_of_action": 1}
    assert {row["who"] for row in season.read("audit", "dice")["rates"]} == {"Dana", "Robin"}


def test_a_confirmed_die_is_no_longer_unwitnessed(season: Arbitrator) -> None:
    season.done("log", "confirm", LASTING_INJURY, "--by", "Robin")
    assert shares(season)["unwitnessed"] == 5
    rolls = {roll["address"]: roll["witnesses"] for roll in season.read("audit", "dice")["rolls"]}
    assert len(rolls) > 1
    assert {address: who for address, who in rolls.items() if who} == {LASTING_INJURY: ["Robin"]}


def test_all_who_confirmed_a_die_are_named_where_it_is_disputed(season: Arbitrator) -> None:
    for witness in ("Robin", "Sam"):
        season.done("log", "confirm", LASTING_INJURY, "--by", witness)
    season.done("dispute", "open", LASTING_INJURY, "--by", "Robin", "--reason", "cocked die")
    dispute = str(season.head["entries"])
    assert season.read("dispute", "show", dispute)["witnesses"] == ["Robin", "Sam"]


def test_a_corrected_die_is_one_die_and_fell_as_the_ruling_says(season: Arbitrator) -> None:
    ruled(season, "--faces", "4-1")
    assert shares(season) == {"dice": 6, "kept": 6, "voided": 0, "corrected": 1, "unwitnessed": 6}
    assert fallen(season, "D66") == {"1": 2, "2": 1, "3": 2, "4": 1}
    ruling = str(season.head["entries"])
    season.done("rollback", "rule", "--ruling", ruling, "--reason", "it was a 6", *season.seen())
    assert shares(season)["corrected"] == 1  # now the 4-1 is what was written down wrongly
    assert fallen(season, "D66") == {"1": 1, "2": 1, "3": 2, "4": 1, "6": 1}


def test_a_die_rolled_again_fell_twice_and_counts_once(season: Arbitrator) -> None:
    ruled(season, "--reroll", "--faces", "4-1")
    assert shares(season) == {"dice": 7, "kept": 6, "voided": 1, "corrected": 0, "unwitnessed": 6}
    assert fallen(season, "D66") == {"1": 2, "2": 1, "3": 2, "4": 2, "6": 1}


def test_dice_of_a_voided_entry_fell_all_the_same(season: Arbitrator) -> None:
    season.done("dispute", "open", "10.1", "--by", "Robin", "--reason", "wrong table")
    dispute = str(season.head["entries"])
    season.done(
        "dispute",
        "rule",
        dispute,
        "--void",
        "--strategy",
        "void-later",
        "--reason",
        "so it was",
        *season.seen(),
    )
    after = shares(season)
    assert (after["dice"], after["kept"] + after["voided"]) == (6, 6)
    assert after["voided"] >= 4
    assert fallen(season, "D6") == {"2": 1, "5": 1}


def test_it_says_what_it_cannot_know_and_accuses_nobody(season: Arbitrator) -> None:
    data = season.read("audit", "dice")
    assert data["cannot_know"] == CANNOT_KNOW
    assert {row[word] for row in data["fairness"] for word in ("live", "test")} == {"too few to tell"}
    for form in ("text", "md", "html"):
        said = " ".join(season.done("audit", "dice", "--format", form).out.split())
        assert "What this cannot know: who threw a die" in said
        assert "cheat" not in said.lower()


def test_the_old_keys_of_its_json_are_still_there(season: Arbitrator) -> None:
    data = season.read("audit", "dice")
    assert data["schema"] == "arbitrator/dice/1"
    (person,) = data["people"]
    assert (person["dice"], person["unwitnessed"], len(data["rolls"])) == (6, 6, 6)


def test_a_row_for_each_face_in_a_sheet(season: Arbitrator) -> None:
    lines = season.done("audit", "dice", "--format", "csv").out.splitlines()
    rows = season.read("audit", "dice")["fairness"]
    assert lines[0] == "who,die,face,fell,expected,live,test,p,p_holm"
    assert len(lines) == 1 + sum(len(row["counts"]) for row in rows)
