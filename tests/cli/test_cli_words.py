"""What is typed on the command line: names, reasons, numbers and options that cannot be, and slips of the pen."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from tables import every

STEERING = ["\x1b[2J", "\x1b]0;owned\x07", "\x1b]52;c;cm0gLXJm\x07", "\x9b2J", "\u202eabc", "a\u200bb", "x\ry", "x\ny", "\u2066", "\ufeff"]  # fmt: skip
ENDLESS = "x" * 100_000


def taking(text: str) -> dict[str, tuple[str, ...]]:
    """Every command that keeps words typed on the command line, with `text` as those words."""
    return {
        "campaign new": ("campaign", "new", text),
        "fighter rename": ("fighter", "rename", "krug", "--name", text),
        "fighter retire": ("fighter", "retire", "krug", "--reason", text),
        "policy adopt": ("policy", "adopt", "one-lasting-injury-roll@1", "--reason", text),
        "policy repeal": ("policy", "repeal", "one-lasting-injury-roll", "--reason", text),
        "dispute open --reason": ("dispute", "open", "10.2", "--reason", text),
        "dispute open --by": ("dispute", "open", "10.2", "--reason", "x", "--by", text),
        "dispute open --rule": ("dispute", "open", "10.2", "--reason", "x", "--rule", text),
        "--as": ("--as", text, "dispute", "open", "10.2", "--reason", "x"),
    }


@every("place", taking(""))
def test_text_that_steers_a_terminal_or_hides_is_not_kept(season: Arbitrator, place: str) -> None:
    for text in STEERING:
        said = season.refused(2, *taking(text)[place])
        assert "invisible" in said or "visible characters" in said or "on one line" in said


@every("place", taking(""))
def test_endless_text_is_not_kept(season: Arbitrator, place: str) -> None:
    assert len(season.refused(2, *taking(ENDLESS)[place])) < 1_000


@every(
    "place",
    [place for place in taking("") if place not in ("--as", "dispute open --by", "dispute open --rule")],
)
def test_empty_text_is_not_kept(season: Arbitrator, place: str) -> None:
    for text in ("", "   "):
        assert "of 1 to" in season.refused(2, *taking(text)[place])


def test_a_reason_may_be_longer_than_a_name(season: Arbitrator) -> None:
    season.done("fighter", "retire", "krug", "--reason", "because " * 20)


def naming(text: str) -> dict[str, tuple[str, ...]]:
    """Every command that names something, with `text` as its name."""
    return {
        "campaign use": ("campaign", "use", text),
        "--campaign": ("--campaign", text, "roster", "show"),
        "campaign new --ruleset": ("campaign", "new", "x", "--ruleset", text),
        "campaign new --preset": ("campaign", "new", "x", "--preset", text),
        "campaign new --policy": ("campaign", "new", "x", "--policy", text),
        "gang show": ("gang", "show", text),
        "gang add": ("gang", "add", text),
        "fighter show": ("fighter", "show", text),
        "fighter rename": ("fighter", "rename", text, "--name", "Krug"),
        "fighter retire": ("fighter", "retire", text, "--reason", "x"),
        "battle record": ("battle", "record", text),
        "battle show": ("battle", "show", text),
        "roster show": ("roster", "show", text),
        "roster show --as-of-battle": ("roster", "show", "--as-of-battle", text),
        "roster show --as-of-entry": ("roster", "show", "--as-of-entry", text),
        "roster show --format": ("roster", "show", "--format", text),
        "log show --fighter": ("log", "show", "--fighter", text),
        "log show --gang": ("log", "show", "--gang", text),
        "log show --battle": ("log", "show", "--battle", text),
        "log show --type": ("log", "show", "--type", text),
        "log show --since": ("log", "show", "--since", text),
        "log entry": ("log", "entry", text),
        "policy show": ("policy", "show", text),
        "policy adopt": ("policy", "adopt", text, "--reason", "x"),
        "policy adopt --from-battle": ("policy", "adopt", "one-lasting-injury-roll", "--reason", "x", "--from-battle", text),
        "dispute open": ("dispute", "open", text, "--reason", "x"),
        "dispute preview --faces": ("dispute", "preview", "10.2", "--faces", text),
        "dispute preview --dice": ("dispute", "preview", "10.2", "--void", "--dice", text),
        "dispute preview --keep": ("dispute", "preview", "10.2", "--void", "--keep", text),
        "dispute preview --void-entry": ("dispute", "preview", "10.2", "--void", "--void-entry", text),
        "schema": ("schema", text),
        "completion": ("completion", text),
        "a noun": (text,),
        "a verb": ("roster", text),
    }  # fmt: skip


HOSTILE = [
    "zzzzzz", "'; DROP TABLE events; --", "../../../../etc/shadow", "/nonexistent/x", "9" * 400, "1e9",
    "0x10", "²", "[/bold]", "ÿ" * 3_000, "𝕂𝕣𝕠𝕘", "\x1b[2J", "\u202e", "con", "",
]  # fmt: skip


@pytest.mark.parametrize("place", naming(""))
def test_a_name_that_names_nothing_is_refused_and_printed_harmlessly(season: Arbitrator, place: str) -> None:
    for text in HOSTILE:
        before = season.contents()
        ran = season(*naming(text)[place])
        if (place, text) in {("--campaign", ""), ("campaign new --preset", "")}:
            continue
        assert ran.code in ((1, 2) if place == "dispute preview --faces" else (2,)), (text, ran)
        assert ran.out == ""
        assert all(line.isprintable() for line in ran.err.split("\n"))
        assert season.contents() == before


def test_letters_that_only_look_different_name_the_same_fighter(season: Arbitrator) -> None:
    assert "Krug the Anvil" in season("fighter", "rename", "𝕂𝕣𝕦𝕘", "--name", "Old Krug").out


@every(
    ("words", "meant"),
    [
        (("campaign", "use", "ash-waste"), "ash-wastes"),
        (("-c", "ash-wates", "roster", "show"), "ash-wastes"),
        (("gang", "show", "iron-skuls"), "iron-skulls"),
        (("fighter", "show", "kurg"), "krug"),
        (("fighter", "retire", "kurg", "--reason", "x"), "krug"),
        (("roster", "show", "mgas"), "mags"),
        (("battle", "show", "bb1"), "b1"),
        (("log", "show", "--fighter", "kurg"), "krug"),
        (("log", "show", "--gang", "iron-skuls"), "iron-skulls"),
        (("log", "show", "--battle", "bb1"), "b1"),
        (("log", "show", "--type", "RolMade"), "RollMade"),
        (("policy", "show", "one-lasting-injury-rol"), "one-lasting-injury-roll"),
        (("policy", "adopt", "one-lasting-injury-rol@1", "--reason", "x"), "one-lasting-injury-roll@1"),
        (("campaign", "new", "x", "--ruleset", "necromunda_2032"), "necromunda_2023"),
        (("campaign", "new", "x", "--preset", "a_and_b"), "a_and_a"),
        (("rooster", "show"), "roster"),
        (("roster", "sohw"), "show"),
        (("dispute", "preview", "10.2", "--void", "--dice", "wuond=4"), "wound"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_a_slip_is_answered_with_the_nearest_known_word(
    season: Arbitrator, words: tuple[str, ...], meant: str
) -> None:
    assert f"Did you mean {meant!r}?" in season.refused(2, *words)


def test_an_argument_that_is_no_utf8_is_refused_everywhere(season: Arbitrator) -> None:
    for words in (
        *naming("\udcff").values(),
        *taking("\udcff").values(),
        ("--db", "\udcff", "roster", "show"),
    ):
        assert "not UTF-8" in season.refused(2, *words)


@every(
    "words",
    [
        ("roster", "show", "--nonsense"), ("roster", "show", "krug", "vex"), ("roster",), (), ("dispute", "open", "10.2"),
        ("fighter", "retire", "pip"), ("battle", "record"), ("log", "entry", "0"), ("log", "entry", "-1"),
        ("roster", "show", "--as-of-entry", "0"), ("log", "show", "--since", "0"), ("schema", "battle"),
        ("policy", "adopt", "one-lasting-injury-roll", "--reason", "x", "--from-battle", "0"),
        ("dispute", "rule", "13", "--confirm"), ("completion", "powershell"), ("-x",),
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_use_of_options_is_shown_with_exit_code_2(season: Arbitrator, words: tuple[str, ...]) -> None:
    assert "Usage: arbitrator" in season.refused(2, *words)


# --- which campaign --------------------------------------------------------------------------------------


def test_without_a_campaign_the_command_that_begins_a_campaign_is_named(empty: Arbitrator) -> None:
    assert f"arbitrator --db {empty.file} campaign new NAME" in empty.refused(2, "campaign", "list")
    empty.done("db", "upgrade")
    empty.done("campaign", "list")
    for words in (
        ("roster", "show"),
        ("standings", "show"),
        ("audit", "verify"),
        ("log", "show"),
        ("gang", "list"),
    ):
        assert "arbitrator campaign new NAME" in empty.refused(2, *words)
        assert "arbitrator campaign new NAME" in empty.refused(2, "-c", "ash-wastes", *words)


def test_two_campaigns_and_none_chosen_is_asked_about(
    season: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    season.done("campaign", "new", "Sump City")
    monkeypatch.setenv("XDG_DATA_HOME", str(season.folder / "elsewhere"))
    said = season.refused(2, "roster", "show")
    assert "Which campaign?" in said
    assert "Known: ash-wastes, sump-city." in said


@pytest.mark.parametrize(
    "name",
    [
        "'; DROP TABLE events; --",
        "../../etc/passwd",
        "[bold]Ash[/bold]",
        "=cmd|' /C calc'!A0",
        "NUL",
        "-rf",
        "%s %n",
    ],
)
def test_a_name_may_look_like_anything_and_is_only_a_name(empty: Arbitrator, name: str) -> None:
    empty.done("campaign", "new", "--slug", "odd", "--", name)
    empty.done("gang", "add", str(Path(__file__).parents[2] / "fixtures" / "gangs" / "iron-skulls.yaml"))
    empty.done("fighter", "rename", "krug", f"--name={name}")
    assert empty.read("campaign", "show")["name"] == name
    assert empty.roster()["krug"]["name"] == name
    for form in ("text", "md", "html", "csv"):
        empty.done("roster", "show", "--format", form)
    assert "\n=" not in empty.done("roster", "show", "--format", "csv").out
    empty.done("audit", "verify")
    assert sorted(path.name for path in empty.folder.iterdir()) == ["campaigns.db", "campaigns.db-journal"]


def test_a_name_in_another_script_gives_a_slug(empty: Arbitrator) -> None:
    empty.done("campaign", "new", "--", "日本")
    (row,) = empty.read("campaign", "list")["campaigns"]
    assert row["name"] == "日本"
    assert row["slug"].isascii()


@every("name", ["???", "...", "-"])
def test_a_name_that_gives_no_slug_asks_for_a_slug(empty: Arbitrator, name: str) -> None:
    assert "--slug" in empty.refused(2, "campaign", "new", "--", name)


def test_a_home_that_cannot_be_written_is_said(season: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null/x")
    assert "XDG_DATA_HOME" in season.refused(2, "campaign", "use", "ash-wastes")
    assert (
        "but the next commands do not use it: give --campaign sump-city."
        in season.done("campaign", "new", "Sump City").out
    )
    assert season.read("-c", "sump-city", "campaign", "show")["name"] == "Sump City"


# --- disputes --------------------------------------------------------------------------------------------


@every("event", ["99.1", "10.99", "10.0", "0.1", "10.", ".2", "10.2.3", "-1.2", "1e1.2", "999999999999.1"])
def test_an_event_that_is_not_there_cannot_be_disputed(season: Arbitrator, event: str) -> None:
    said = season.refused(2, "dispute", "open", "--reason", "x", "--", event)
    assert "ends with entry 12" in said
    assert "ENTRY.EVENT" in said


def test_an_event_is_disputed_once_at_a_time(season: Arbitrator) -> None:
    season.done("dispute", "open", "10.2", "--reason", "x")
    assert "arbitrator dispute show 13" in season.refused(1, "dispute", "open", "10.2", "--reason", "y")


@pytest.fixture
def ruled(season: Arbitrator) -> Arbitrator:
    """Dispute 13 was ruled on by entry 14, which decided entry 10 again."""
    season.done("dispute", "open", "10.2", "--reason", "x")
    season.done("dispute", "rule", "13", "--faces", "2", "--reason", "x", *season.seen())
    return season


def test_what_was_struck_out_cannot_be_disputed(ruled: Arbitrator) -> None:
    said = ruled.refused(1, "dispute", "open", "10.2", "--reason", "again")
    assert "entry 14 decided it again" in said


def test_a_dispute_is_ruled_on_once(ruled: Arbitrator) -> None:
    for words in (
        ("rule", "13", "--confirm", "--reason", "x"),
        ("preview", "13", "--confirm"),
        ("withdraw", "13", "--reason", "x"),
    ):
        said = ruled.refused(1, "dispute", *words)
        assert "There is no open dispute 13: entry 14 ruled on it." in said
        assert "arbitrator dispute open 14" in said


@every("number", ["99", "12", "0", "x", "\x1b[2J"])
def test_a_dispute_that_is_not_there_cannot_be_ruled_on(season: Arbitrator, number: str) -> None:
    for words in (
        ("rule", number, "--confirm", "--reason", "x"),
        ("preview", number, "--void"),
        ("show", number),
        ("withdraw", number, "--reason", "x"),
    ):
        assert "arbitrator dispute list" in season.refused(2, "dispute", *words)


@every("faces", ["7", "0", "4-6", "ooa", "", "-1", "2,3", "٣"])
def test_faces_that_do_not_fit_the_die_are_refused(season: Arbitrator, faces: str) -> None:
    said = season.refused(2, "dispute", "preview", "10.2", f"--faces={faces}")
    assert "no result of a D6 (wound)" in said


def test_faces_for_what_is_no_roll_are_refused(season: Arbitrator) -> None:
    said = season.refused(2, "dispute", "preview", "10.4", "--faces", "2")
    assert "10.4 is no roll (" in said
    (event,) = [event for event in season.read("log", "entry", "10")["events"] if event["address"] == "10.4"]
    assert f"10.4 is no roll ({event['sentence']})" in said
    assert "--void" in said


@every(
    "verdict",
    [
        (),
        ("--confirm", "--void"),
        ("--confirm", "--faces", "2"),
        ("--void", "--faces", "2"),
        ("--reroll", "--void"),
        ("--reroll", "--outcome", "passed"),
        ("--reverse", "--confirm"),
    ],
)
def test_one_verdict_is_asked_for(season: Arbitrator, verdict: tuple[str, ...]) -> None:
    assert "Say one verdict" in season.refused(2, "dispute", "preview", "10.2", *verdict)


@every("more", [("--keep", "11"), ("--unkeep", "11"), ("--void-entry", "11"), ("--dice", "11:wound=4")])
def test_nothing_follows_from_a_roll_that_stands(season: Arbitrator, more: tuple[str, ...]) -> None:
    assert "leave out" in season.refused(2, "dispute", "preview", "10.2", "--confirm", *more)


@every("more", [("--keep", "99"), ("--void-entry", "99"), ("--dice", "99:wound=4")])
def test_a_ruling_speaks_only_for_entries_that_are_there(season: Arbitrator, more: tuple[str, ...]) -> None:
    assert "ends with entry 12" in season.refused(2, "dispute", "preview", "10.2", "--void", *more)


@every("dice", ["wound=4", "10:wound=4", "11:wound=4", "injury=ooa,ooa"])
def test_dice_that_a_ruling_does_not_ask_for_are_refused(season: Arbitrator, dice: str) -> None:
    said = season.refused(2, "dispute", "preview", "10.2", "--faces", "2", "--dice", dice)
    assert "left over that no rule asked for" in said


def test_the_opening_of_a_campaign_and_a_dispute_are_not_voided(ruled: Arbitrator) -> None:
    assert "Entry 1 stands" in ruled.refused(1, "dispute", "preview", "1.2", "--void")
    for entry in ("1", "13", "14"):
        said = ruled.refused(1, "dispute", "preview", "11.2", "--void", "--void-entry", entry)
        assert f"Entry {entry} stands" in said


# --- policies --------------------------------------------------------------------------------------------

ADOPT = ("policy", "adopt", "one-lasting-injury-roll@1", "--reason", "voted")


def test_a_policy_is_adopted_once(season: Arbitrator) -> None:
    season.done(*ADOPT)
    assert "in force already" in season.refused(1, *ADOPT)


def test_a_policy_from_a_battle_of_the_past_is_a_ruling_and_is_looked_at_first(season: Arbitrator) -> None:
    said = season.refused(2, *ADOPT, "--from-battle", "2")
    assert "Look first, then rule" in said
    assert "policy adopt one-lasting-injury-roll@1 --from-battle 2 --preview" in said


def test_a_policy_that_is_not_in_force_is_not_repealed(season: Arbitrator) -> None:
    assert "is not in force" in season.refused(
        1, "policy", "repeal", "one-lasting-injury-roll", "--reason", "x"
    )


def test_an_unknown_version_of_a_policy_is_refused(season: Arbitrator) -> None:
    season.refused(2, "policy", "adopt", "one-lasting-injury-roll@2", "--reason", "x")
