"""Every problem's `type` is a page that says what it is and what to do, read off the refusal's declaration."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from cli_reports import report
from served import Served

import tracker
from tracker.server import problem_pages

SERVER = Path(tracker.__file__).parent / "server"


def test_every_code_that_an_answer_may_have_has_a_page(served: Served) -> None:
    codes = [*problem_pages.codes()]
    assert len(codes) > 300
    for code in codes:
        known = problem_pages.about(code)
        assert known is not None
        assert known.to_do
        assert 400 <= known.status < 600, code
        assert problem_pages.page(known).data()["code"] == code
    for code in (codes[0], codes[-1], "fighter_gone", "if_match_missing"):
        answer = served.client.get(f"/problems/{code}")
        assert answer.status_code == 200, code
        assert "What to do" in answer.text


def test_codes_that_no_refusal_declares_are_declared_with_what_to_do() -> None:
    """`of_code(status, code, ...)` and the like in the service's own code."""
    said = set()
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in (
                "of_code",
                "BadRequest",
            ):
                said |= {part.value for part in node.args[:2] if isinstance(part, ast.Constant)}
    codes = {code for code in said if isinstance(code, str)}
    assert "if_match_missing" in codes
    assert {code for code in codes if problem_pages.about(code) is None} == set()


def test_a_service_that_has_just_begun_knows_every_code() -> None:
    """Also those of commands that nobody has asked it for."""
    looks = "from tracker.server import problem_pages; print(*problem_pages.codes())"
    said = subprocess.run([sys.executable, "-c", looks], check=True, capture_output=True, text=True)
    assert {"name_gives_no_slug", "board_damaged", "fighter_gone"} <= {*said.stdout.split()}


@pytest.mark.parametrize(
    ("code", "to_do"),
    [
        ("database_unreachable", "Retry-After"),
        ("stale", "read the campaign again"),
        ("rows_not_written", "arbitrator audit verify"),
        ("unknown_person", "Correct it and send it again"),
        ("token_not_valid", "refused again until that state changes"),
    ],
)
def test_each_family_of_refusals_says_what_to_do(code: str, to_do: str) -> None:
    known = problem_pages.about(code)
    assert known is not None
    assert to_do in " ".join(known.to_do.split())


def test_the_page_of_a_refusal_is_its_message_with_its_facts_in_braces(served: Served) -> None:
    answer = served.get("/fighters/nobody")
    link = answer.json()["type"]
    text = served.client.get(link, headers={"Accept": "text/plain"}).text
    assert "Unknown fighter" in text
    assert "Status 404 (Not Found); exit code" in text
    assert "Nothing was recorded" in " ".join(text.split()) or "nothing was recorded" in " ".join(
        text.split()
    )
    page = served.client.get(link, headers={"Accept": "text/html"})
    assert page.headers["Content-Type"].startswith("text/html")
    assert "<h1" in page.text
    data = served.client.get(link, headers={"Accept": "application/json"}).json()
    assert (data["code"], data["status"]) == ("unknown_fighter", 404)


@pytest.mark.parametrize("code", ["no_such_code", "<script>", "../../etc/passwd", "Refusal"])
def test_a_code_that_no_answer_has_has_no_page(served: Served, code: str) -> None:
    answer = served.client.get(f"/problems/{code}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_an_unknown_key_is_named_with_its_pointer_and_the_nearest_known_one(served: Served) -> None:
    answer = served.post("/disputes", json={"event": "10.2", "reson": "x"})
    errors = {error["pointer"]: error["message"] for error in answer.json()["errors"]}
    assert errors["/reson"] == "This is not known here. Did you mean 'reason'?"
    assert set(errors) == {"/reson", "/reason"}
    (error,) = served.get("/roster?xyz=1").json()["errors"]
    assert error["pointer"] == "/xyz"
    assert "It takes: " in error["message"]
    (error,) = served.post("/policies/adopt", json={"policy": "x", "reason": "y", "from/battle": 3}).json()[
        "errors"
    ]
    assert error["pointer"] == "/from~1battle"


def test_what_is_wrong_in_a_file_has_its_pointer_too(served: Served) -> None:
    text = report("b3", "hit: {attacker: hob, weapn: autogun, target: vex}")
    answer = served.post("/battles", content=text)
    assert answer.status_code == 422
    pointers = {error["pointer"]: error for error in answer.json()["errors"]}
    assert "/entries/0/hit/weapn" in pointers, answer.text
    assert "weapon" in pointers["/entries/0/hit/weapn"]["message"]
    assert pointers["/entries/0/hit/weapn"]["line"] > 1
