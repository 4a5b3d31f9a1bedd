"""docs/where.md leads from the name of a rule, a die or a setting to its file, read off the code and the books."""

import ast
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from tracker.campaign import records
from tracker.campaign.steps import HANDLERS
from tracker.dice import D3, D6, D66, TWO_D6
from tracker.documents.battle_report import WrittenEntry
from tracker.documents.derived_forms import entry_commands, exchange_commands
from tracker.documents.post_battle import PostBattleEntry
from tracker.rules import loader

ROOT = Path(__file__).parent.parent
HEADING = """\
# Where is rule X?

Search this page for a rule's name in the book, for a die, command, setting or file, or for a message's words on the page of
[commands, events and refusals](events.md). [Questions](#questions) names the function for what is asked most. [Sources](sources.md)
lists the rules paragraph by paragraph, with their tests. `make golden` writes this page from the code and the books.

Paths of steps begin in `tracker/campaign/steps/`, those of records in `tracker/campaign/records/`, those of tables in
`tracker/rules/books/`. Numbers that a table does not hold are functions in `tracker/rules/necromunda/` and
`tracker/rules/trench_crusade/`, in files of the same names.
"""
QUESTIONS = (
    (
        "Which row does a Lasting Injury roll give?",
        "tracker/rules/books/necromunda_2023/lasting_injuries.toml",
        "",
        "tests/campaign/test_lasting_injury_table.py",
    ),
    (
        "When does a shot need the Cool test of target priority?",
        "tracker/campaign/steps/target_priority.py",
        "may_shoot",
        "tests/campaign/test_shooting_target_priority.py",
    ),
    (
        "How does a weapon trait or a skill act?",
        "tracker/campaign/steps/special_rules.py",
        "acting",
        "tests/campaign/test_every_row_has_a_test.py",
    ),
    (
        "How is a table's own house rule read?",
        "tracker/documents/house_rule.py",
        "read_house_rule",
        "tests/documents/test_house_rule.py",
    ),
    (
        "How is an entry decided?",
        "tracker/campaign/steps/__init__.py",
        "decide",
        "tests/campaign/test_laws_of_decide_and_evolve.py",
    ),
    ("Where is an event's hash computed?", "tracker/log/chain.py", "leaf_hash", "tests/log/test_chain.py"),
    (
        "Who notices that a row of the log was changed by hand?",
        "tracker/log/verification.py",
        "_wrong",
        "tests/log/test_store_contract.py",
    ),
    ("Who may record which gang's battle?", "tracker/rights.py", "why_not", "tests/cli/test_cli_rights.py"),
    (
        "Which entries does a ruling decide again?",
        "tracker/campaign/rulings/selective_replay.py",
        "resume_after",
        "tests/campaign/test_rulings_skip.py",
    ),
    (
        "How is one entry decided again?",
        "tracker/campaign/rulings/redecision.py",
        "redecide_slot",
        "tests/campaign/test_rulings_decide_again.py",
    ),
    (
        "How are the odds of an exchange computed?",
        "tracker/campaign/odds/exchange_odds.py",
        "odds",
        "tests/campaign/test_odds.py",
    ),
    (
        "Where does the order of post-battle steps come from?",
        "tracker/rules/books/necromunda_2023/post_battle.toml",
        "",
        "tests/campaign/test_post_battle_sequence.py",
    ),
    (
        "Which page shows the post-battle steps?",
        "tracker/server/pages/post_battle.py",
        "checklist",
        "tests/server/test_server_pages_after_battle.py",
    ),
    (
        "Why is a number on a card what it is?",
        "tracker/service/explanations.py",
        "explain",
        "tests/service/test_explaining.py",
    ),
    (
        "Which page is at an address?",
        "tracker/server/pages/routes.py",
        "",
        "tests/server/test_server_every_page.py",
    ),
)
"""What is asked most: the file, its function, and a test of it."""
PLAIN_FACES = {
    D3: "1 to 3, typed as the result",
    D6: "1 to 6",
    TWO_D6: "both faces of two D6, added",
    D66: "two D6, tens first: 36 results, a row of a table",
}
OWN_ROWS = "`rules/own_rows.py`"
DICE = {"d6", "d3", "d66", "two_d6", "special", "pool"}


@cache
def calls() -> dict[str, set[tuple[str, str]]]:
    """Every text that a call in the core is given: the file that it is in, and the method's own name."""
    files = [*(ROOT / "tracker" / "campaign").rglob("*.py"), *(ROOT / "tracker" / "rules").rglob("*.py")]
    places: dict[str, set[tuple[str, str]]] = {}
    for file in files:
        name = file.relative_to(ROOT / "tracker").as_posix().removeprefix("campaign/steps/")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                for text in texts(node):
                    method = ast.unparse(node.func).split(".")[-1]
                    places.setdefault(text, set()).add((name, method))
    return places


def texts(call: ast.Call) -> frozenset[str]:
    return frozenset(
        node.value for node in call.args if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def naming(name: str, methods: set[str]) -> str:
    """The files that name something in a call of one of these methods."""
    files = {file for file, method in calls().get(name, ()) if method in methods}
    return ", ".join(f"`{file}`" for file in sorted(files))


def file_of(thing: object, package: str) -> str:
    return str(getattr(thing, "__module__", "")).removeprefix(f"{package}.").replace(".", "/") + ".py"


def keys_in_files() -> dict[type[records.Command], list[str]]:
    """The keys by which files ask for each command, those of forms that are written by hand included."""
    asked: list[tuple[str, type[records.Command]]] = [*entry_commands().items(), *exchange_commands().items()]
    for model in (WrittenEntry, PostBattleEntry):
        for key, field in model.model_fields.items():
            for form in get_args(field.annotation):
                made = getattr(form, "makes_one_of", None) or [getattr(form, "makes", None)]
                asked += [(key, kind) for kind in made if kind is not None]
    keys: dict[type[records.Command], list[str]] = {}
    for key, kind in dict.fromkeys(asked):
        keys.setdefault(kind, []).append(f"`{key}`")
    return keys


def questions() -> Iterator[str]:
    yield "\n## Questions\n\n| Question | File | Function | Test |\n|---|---|---|---|"
    for question, file, function, test in QUESTIONS:
        yield f"| {question} | `{file}` | {f'`{function}`' if function else ''} | `{test}` |"


def commands() -> Iterator[str]:
    keys = keys_in_files()
    yield "\n## Commands\n\n| Command | What it does | In a file | Record | Steps |\n|---|---|---|---|---|"
    for name, kind in sorted(records.COMMANDS.items()):
        about = " ".join(records.about(kind).split()).split(". ")[0].rstrip(".")
        record = file_of(kind, "tracker.campaign.records")
        step = f"{file_of(HANDLERS[kind], 'tracker.campaign.steps')}`, `{HANDLERS[kind].__name__}"
        yield f"| [{name}](events.md#{name.lower()}) | {about} | {', '.join(keys.get(kind, ()))} | `{record}` | `{step}` |"


def dice() -> Iterator[str]:
    purposes = {name: die for book in loader.book_names() for name, die in loader.book(book).purposes.items()}
    yield "\n## Dice\n\n| Die | Rolled for | Steps, or the tables whose rows ask for it |\n|---|---|---|"
    for name, purpose in sorted(purposes.items()):
        yield f"| `{name}` | {purpose.about} | {naming(name, DICE) or tables_naming(name) or OWN_ROWS} |"


def tables_naming(name: str) -> str:
    """The tables whose rows ask for a die by this name."""
    books = ROOT / "tracker" / "rules" / "books"
    asking = re.compile(rf'purpose = "{name}"')
    files = sorted(file for file in books.rglob("*.toml") if asking.search(file.read_text(encoding="utf-8")))
    return ", ".join(f"`{file.relative_to(books).as_posix()}`" for file in files)


def faces() -> Iterator[str]:
    """What each die shows, so that D3, 2D6, D66 and the dice with symbols are found by their names."""
    yield "\n## Faces of the dice\n\nTested in `tests/rules/test_dice_faces.py`.\n\n| Die | Shows | Written in |\n|---|---|---|"
    yield from (f"| {die} | {shows} | `tracker/dice.py` |" for die, shows in PLAIN_FACES.items())
    found: dict[str, list[str]] = {}
    for name in loader.book_names():
        for die, variants in sorted(loader.book(name).special_dice.items()):
            for variant, special in variants.items():
                counted = Counter(symbol.replace("_", " ") for symbol in special.symbols)
                shows = ", ".join(f"{count} {symbol}" for symbol, count in counted.items())
                which = f" (`{variant}`)" if len(variants) > 1 else ""
                row = f"| {die.replace('_', ' ').capitalize()} die{which} | {shows} |"
                found.setdefault(row, []).append(f"`{name}/dice.toml`")
    yield from (f"{row} {', '.join(places)} |" for row, places in sorted(found.items()))


def settings() -> Iterator[str]:
    knobs = {name: knob for book in loader.book_names() for name, knob in loader.book(book).knobs.items()}
    yield "\n## Settings (knobs)\n\n| Knob | Decides | Read in |\n|---|---|---|"
    for name, knob in sorted(knobs.items()):
        unread = "played at the table" if knob.at_the_table else "`rules/rulebook.py`"
        yield f"| `{name}` | {knob.about} | {naming(name, {'knob'}) or unread} |"


def rows() -> Iterator[str]:
    yield "\n## Results and traits\n\n| Name | Tables |\n|---|---|"
    found: dict[str, list[str]] = {}
    for name in loader.book_names():
        book = loader.book(name)
        for table in book.tables.values():
            for row in table.rows:
                found.setdefault(row.name, []).append(f"`{name}/{table.id}.toml`")
        for trait in book.traits:
            found.setdefault(trait, []).append(f"`{name}/traits.toml`")
    for name, places in sorted(found.items()):
        yield f"| {name} | {', '.join(dict.fromkeys(places))} |"


def first_line(file: Path) -> str:
    """What a file says of itself in one line."""
    first, _, _ = file.read_text(encoding="utf-8").partition("\n")
    about = first.removeprefix('"""').removesuffix('"""') if first.startswith('"""') else ""
    return about.replace("|", "/")


def first_sentence(file: Path) -> str:
    """What a file says of itself in one sentence, which may go over several lines."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".js":
        comment = itertools.takewhile(lambda line: line.startswith("// "), text.splitlines())
        about = " ".join(line.removeprefix("// ") for line in comment)
    else:
        about = " ".join((ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].split())
    sentence = about.split(". ")[0].removesuffix(".")
    return f"{sentence}.".replace("|", "/") if sentence else ""


def files() -> Iterator[str]:
    """Every file of rules and steps, then every file of their tests, with its own first line."""
    core = [ROOT / "tracker/campaign/steps", ROOT / "tracker/rules"]
    tests = [ROOT / "tests/rules", ROOT / "tests/campaign"]
    for heading, folders, pattern in (
        ("Files of the rules", core, "*.py"),
        ("Files of their tests", tests, "test_*.py"),
    ):
        yield f"\n## {heading}\n\n| File | Holds |\n|---|---|"
        for file in sorted(file for folder in folders for file in folder.rglob(pattern)):
            if file.name != "__init__.py":
                yield f"| `{file.relative_to(ROOT).as_posix()}` | {first_line(file)} |"


def other_files() -> Iterator[str]:
    """Every other file of the program: the service, the pages, the log and its proofs, imports, reports."""
    yield "\n## Files of everything else\n\n| File | Holds |\n|---|---|"
    core = [ROOT / "tracker/campaign/steps", ROOT / "tracker/rules"]
    scripts = [file for file in (ROOT / "tracker").rglob("*.js") if not file.name.endswith(".min.js")]
    for file in sorted([*(ROOT / "tracker").rglob("*.py"), *scripts]):
        if file.name not in {"__init__.py", "__main__.py"} and not any(
            file.is_relative_to(part) for part in core
        ):
            yield f"| `{file.relative_to(ROOT).as_posix()}` | {first_sentence(file)} |"


def test_the_page_is_current(golden: Callable[[str, str], None]) -> None:
    parts = [
        HEADING,
        *questions(),
        *commands(),
        *dice(),
        *faces(),
        *settings(),
        *rows(),
        *files(),
        *other_files(),
    ]
    golden("../docs/where.md", "\n".join(parts) + "\n")


def test_every_answer_names_a_function_and_a_test_that_exist() -> None:
    missing = [
        question
        for question, file, function, test in QUESTIONS
        if not (ROOT / test).is_file()
        or not re.search(rf"def {function}\b" if function else "", (ROOT / file).read_text(encoding="utf-8"))
    ]
    assert missing == []


def test_every_file_of_the_core_says_in_one_line_what_it_holds() -> None:
    assert [line for line in files() if line.endswith("|  |")] == []


def test_every_other_file_says_in_one_sentence_what_it_holds() -> None:
    assert [line for line in other_files() if line.endswith("|  |")] == []


def test_every_file_that_the_page_of_sources_names_exists() -> None:
    there = {file.name for part in ("tracker", "tests") for file in (ROOT / part).rglob("*.*")}
    named = re.findall(r"([\w-]+\.(?:py|toml))\b", (ROOT / "docs/sources.md").read_text(encoding="utf-8"))
    assert sorted(set(named) - there) == []
