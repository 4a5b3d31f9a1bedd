"""What a board offers after a battle can be sent: forms beside what is due, and nothing that cannot be."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import convoy
from boards import HERE, first_battle
from cli_arbitrator import ROOT
from forms_seen import Form, forms
from test_server_board import Board

NUMBERS = "{M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}"
OPEN_STEPS_MAX = 20


def sheet(gang: str, *cards: tuple[str, str]) -> str:
    listed = "".join(
        f"  - {{name: {name}, category: leader, type: Boss, cost: 50, xp: 9, characteristics: {NUMBERS},"
        f" skills: [{skill}]}}\n"
        for name, skill in cards
    )
    return f"format: gang-sheet/1\ngang: {gang}\nname: {gang}\nhouse: House\nplayer: Kim\nfighters:\n{listed}"


@contextmanager
def after_a_battle(
    folder: Path, book: str, sheets: Sequence[Path], crews: dict[str, list[str]]
) -> Iterator[Board]:
    """The first gang's sequence, after a battle in which nothing happened."""
    with first_battle(folder, book, sheets, crews) as board:
        board.tap("end")
        board.answer("draw")
        (form,) = [form for form in forms(board.page) if form.action.endswith("/record")]
        board.send(form.action, **form.fields)
        board.send(f"{HERE}/record/after", gang=next(iter(crews)))
        yield board


def fixers(folder: Path) -> list[Path]:
    files = [folder / "fixers.yaml", folder / "others.yaml"]
    files[0].write_text(sheet("fixers", ("Ada", "Fixer"), ("Bo", "Fixer")), encoding="utf-8")
    files[1].write_text(sheet("others", ("Cy", "Evade")), encoding="utf-8")
    return files


FIXERS = {"fixers": ["ada", "bo"], "others": ["cy"]}


def form_of(board: Board, kind: str) -> Form:
    return next(form for form in forms(board.page) if form.fields.get("entry") == kind)


def to_the_question(board: Board, words: str) -> None:
    """What is due before it is left for later."""
    at = board.at
    for _ in range(OPEN_STEPS_MAX):
        if words in board.asks:
            return
        if 'data-asks="menu"' in board.page:
            board.tap("next")
        else:
            board.send(f"{at}/undo", revision=board.revision, entry="1")
            board.at = at
    raise AssertionError(board.page)


def test_a_form_counts_while_one_thing_after_another_is_due(tmp_path: Path) -> None:
    with after_a_battle(tmp_path, "necromunda_2023", fixers(tmp_path), FIXERS) as board:
        to_the_question(board, "Fixer")
        reward = form_of(board, "reward")
        board.send(
            reward.action,
            **{**reward.fields, "reward.credits": "30", "reward.why": "the loot", "reward.gang": "fixers"},
        )
        assert board.status == 200, board.page
        assert "the loot" in board.page
        again = reward.fields | {"reward.credits": "30", "reward.why": "the loot", "reward.gang": "fixers"}
        board.send(reward.action, **again)
        assert board.status == 200
        assert 'data-entries="1"' in board.page, "sent twice by one thumb"


def test_nothing_is_called_done_before_anything_was_entered(tmp_path: Path) -> None:
    with after_a_battle(tmp_path, "necromunda_2023", fixers(tmp_path), FIXERS) as board:
        to_the_question(board, "What is done")
        assert "All of it is done" not in board.page


def test_what_an_advance_of_a_skill_takes_is_asked_for_without_an_armoury(tmp_path: Path) -> None:
    with after_a_battle(tmp_path, "necromunda_2023", fixers(tmp_path), FIXERS) as board:
        to_the_question(board, "Who spends XP")
        board.answer("ada")
        assert "primary_chosen" in board.answers
        board.answer("primary_chosen")
        assert {"Agility", "Savant"} <= {*board.answers}
        board.answer("Agility")
        assert [*dict.fromkeys(board.answers)] == [
            "Catfall",
            "Clamber",
            "Dodge",
            "Mighty Leap",
            "Spring Up",
            "Sprint",
        ]
        board.answer("Dodge")
        assert "Dodge" in board.page
        assert "Who spends XP" in board.asks


def test_only_what_is_on_a_vehicle_comes_off_it(tmp_path: Path) -> None:
    crews = {"skulls": ["krug", "vex", "joss"], "saints": ["mags", "dot", "ned"]}
    with after_a_battle(tmp_path, "necromunda_archive", convoy.sheets(tmp_path), crews) as board:
        for _ in range(OPEN_STEPS_MAX):
            if 'value="remove_upgrade"' in board.page:
                break
            board.tap("next") if 'data-asks="menu"' in board.page else to_the_question(board, "What is done")
        form = form_of(board, "remove_upgrade")
        assert {*form.choices["remove_upgrade.upgrade"]} - {""} == {"cannon", "harpoon"}


def test_promotion_dice_are_shared_out_by_a_form(tmp_path: Path) -> None:
    season = ROOT / "fixtures" / "trench-season"
    crews = {"iron-procession": ["anselm", "maud", "odo", "wil"], "black-vigil": ["vex", "rat", "grub"]}
    sheets = [season / f"{warband}.yaml" for warband in crews]
    with after_a_battle(tmp_path, "trench_crusade", sheets, crews) as board:
        at = board.at
        for _ in range(OPEN_STEPS_MAX):
            if any(form.fields.get("entry") == "promotions" for form in forms(board.page)):
                break
            board.tap("next")
        form = form_of(board, "promotions")
        board.send(form.action, **form.fields)
        assert board.status == 200, board.page
        assert "odo" in board.answers, board.page
        board.at = at
        board.send(at, revision=board.revision, choice="odo")
        assert re.search("How many for .*Odo", board.asks), board.asks
        assert 'value="0"' not in board.page
        board.answer("1")


def test_who_spends_xp_left_for_later_is_not_asked_for_again(tmp_path: Path) -> None:
    with after_a_battle(tmp_path, "necromunda_2023", fixers(tmp_path), FIXERS) as board:
        at = board.at
        to_the_question(board, "Who spends XP")
        board.send(f"{at}/undo", revision=board.revision, entry="1")
        board.at = at
        assert "Who spends XP" not in board.asks
        board.go(at)
        assert "Who spends XP" not in board.asks


def test_xp_and_skills_are_offered_to_elite_models_alone(tmp_path: Path) -> None:
    season = ROOT / "fixtures" / "trench-season"
    crews = {"iron-procession": ["anselm", "maud", "odo", "wil"], "black-vigil": ["vex", "rat", "grub"]}
    sheets = [season / f"{warband}.yaml" for warband in crews]
    with after_a_battle(tmp_path, "trench_crusade", sheets, crews) as board:
        kinds = [form.fields.get("entry") for form in forms(board.page)]
        assert "learn" not in kinds, "nobody of ELITE has the XP, and a troop never learns"
        deeds = form_of(board, "battle_experience")
        assert {*deeds.choices["battle_experience.deeds"]} == {"anselm", "maud"}


def test_what_a_gangers_roll_is_for_is_asked_where_the_row_leaves_a_choice(tmp_path: Path) -> None:
    files = fixers(tmp_path)
    files[0].write_text(
        sheet("fixers", ("Ada", "Fixer"), ("Bo", "Fixer")).replace("leader", "ganger"), "utf-8"
    )
    with after_a_battle(tmp_path, "necromunda_2023", files, FIXERS) as board:
        fields = {"ganger_roll.fighter": "ada"}
        board.send(f"{board.at}/entry", revision=board.revision, entry="ganger_roll", **fields)
        board.at = board.at.removesuffix("/entry")
        board.die("4+4")
        assert board.asks == "Ada rolled 8: which characteristic gets better?"
        assert {*board.answers} == {"willpower", "intelligence"}
        board.answer("intelligence")
        assert "Intelligence 7+ → 6+" in board.page


def test_a_change_of_no_reputation_is_not_offered(tmp_path: Path) -> None:
    with after_a_battle(tmp_path, "necromunda_2023", fixers(tmp_path), FIXERS) as board:
        to_the_question(board, "What is done")
        board.tap("reputation")
        assert board.asks == "How much Reputation do fixers gain (negative for a loss)?"
        numbers = re.findall(r'<button name="answer" value="([0-9]+)">', board.page)
        assert numbers == ["1", "2", "3", "4", "5", "6"]
        board.send(board.at, revision=board.revision, answer="0")
        assert "a whole number from -100 to 100 but 0" in board.page
