"""Whatever is typed, the tool answers with a documented exit code and without a traceback."""

import random
import shutil

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import FIRST, GANG_SHEETS, LATER, SEASON
from command_lines import fits, mutated, typed


@pytest.mark.parametrize("seed", range(4))
def test_any_command_line_gets_an_answer(
    season: Arbitrator, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.chdir(season.folder)
    dice = random.Random(seed)
    files = [season.write(text, name=f"{number}.yaml") for number, text in enumerate(SEASON)]
    files += [
        season.write("format: battle-report/1\n", name="short.yaml"),
        *map(str, GANG_SHEETS),
        "new.db",
        str(season.folder),
    ]
    season.done("dispute", "open", "10.2", "--reason", "cocked")
    for _ in range(150):
        words = typed(dice, files)
        ran = season(*words, stdin=dice.choice([b"", FIRST.encode(), b"\xff"]))
        fits(ran.code, ran.out, ran.err, words)
    season.done("-c", "ash-wastes", "audit", "verify")


@pytest.mark.parametrize("seed", range(4))
def test_any_slip_in_a_report_or_sheet_is_refused_whole_or_taken_whole(
    arbitrator: Arbitrator, seed: int
) -> None:
    dice = random.Random(seed)
    fresh = arbitrator.folder / "fresh.db"
    shutil.copy(arbitrator.file, fresh)
    for _ in range(60):
        report = dice.random() < 0.7
        listed = dice.choice([*SEASON, *LATER]) if report else dice.choice(GANG_SHEETS).read_text()
        words = ["battle", "record"] if report else ["gang", "add"]
        before = arbitrator.contents()
        ran = arbitrator(*words, arbitrator.write(mutated(dice, listed)), *(["--roll"] if report else []))
        fits(ran.code, ran.out, ran.err, words)
        if ran.code or ran.out.startswith("Recorded before"):
            assert arbitrator.contents() == before
        else:
            assert arbitrator("audit", "verify").code == 0
            shutil.copy(fresh, arbitrator.file)
