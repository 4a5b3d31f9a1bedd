"""The house rules of the code itself, read off the code: see `docs/adr/` and architecture.md, sections 2 and 3.

`tests/test_layers.py` holds the layers. Here: what the core may not touch, names that rule code may not know,
refusals that speak for themselves, words in every module, files of a size that can be read.
"""

import ast
import importlib
import pkgutil
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tables import every

import tracker
from tracker.documents.refusals import Misplaced
from tracker.errors import Refusal
from tracker.rules import loader
from tracker.rules.glossary import USUAL

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "tracker"
CORE = ("campaign", "rules", "dice.py", "errors.py")

LINES_MAX = 600
LONGER_FILES: dict[str, str] = {}

IMPORTS_INSIDE_FUNCTIONS = {
    ("imports/workbooks.py", "openpyxl"): "only who imports spreadsheets has it",
    ("imports/workbooks.py", "openpyxl.utils.exceptions"): "only who imports spreadsheets has it",
    ("cli/campaign.py", "tracker.analytics"): "for one option only",
    ("cli/campaign.py", "tracker.reports.analytics"): "for one option only",
    ("cli/exports.py", "tracker.exports.gang_sheet"): "a gang is shown without the steps of the rules",
    ("cli/exports.py", "tracker.exports.round_trip"): "a gang is shown without the importers",
    ("reports/workbook.py", "openpyxl"): "only who wants spreadsheets has it",
    ("reports/workbook.py", "openpyxl.styles"): "only who wants spreadsheets has it",
    ("server/pages/battle_picture.py", "PIL"): "few requests ask for a picture",
    ("cli/model_actions.py", "tracker.documents.wizard.open_actions"): "a fighter is shown without the forms",
    ("cli/model_actions.py", "tracker.reports.open_actions"): "a fighter is shown without the forms",
    ("service/gang_emblems.py", "PIL"): "an extra, and few upload a picture",
    ("cli/main.py", "tracker.cli.damage"): "help stays quick",
    ("cli/automatic_signing.py", "tracker.cli"): "only who signs needs keys",
    ("cli/main.py", "tracker.reports.escaping"): "help stays quick",
    ("cli/main.py", "tracker.reports.refusal"): "help stays quick",
    ("reports/judgement_data.py", "tracker.documents.schemas"): "needed for its schema only, and slow",
    ("reports/refusal.py", "tracker.documents.schemas"): "needed for its schema only, and slow",
    (
        "cli/terminal_prompter.py",
        "readline",
    ): "only at a terminal, to which its import may write; Windows has none",
    ("cli/name_lookup.py", "tracker.documents.ids"): "forms are slow; names in other letters are rare",
    ("cli/campaign.py", "tracker.cli"): "few commands leave this machine",
    ("cli/global_options.py", "tracker.cli"): "few commands leave this machine",
    ("cli/remote.py", "tracker.cli"): "few commands ask anything",
    ("cli/remote.py", "tracker.cli.exports"): "few commands make files",
    ("cli/remote.py", "tracker.service"): "few commands make files",
    ("cli/remote.py", "httpx2"): "an extra that may be missing, which is to be said",
    ("__main__.py", "tracker.cli"): "a resident may have it read in",
    ("resident/client.py", "socket"): "most who start a command have no resident",
    ("resident/client.py", "signal"): "most who start a command have no resident",
    ("cli/session.py", "platformdirs"): "help stays quick",
    ("cli/session.py", "tracker.reports.cards"): "help stays quick",
    ("cli/session.py", "tracker.people.secrets"): "help stays quick",
    ("server/serve.py", "tracker.server"): "an extra that may be missing, which is to be said",
    (
        "server/discord_sign_in.py",
        "authlib.integrations.httpx_client",
    ): "an extra that most hosts do not need",
    ("server/discord_sign_in.py", "authlib.common.errors"): "the same",
    ("server/discord_sign_in.py", "authlib.oauth2.client"): "the same",
    ("server/discord_sign_in.py", "httpx2"): "what it asks with",
    ("server/worker_processes.py", "resource"): "Windows has no such module",
    ("cli/dice.py", "tracker.documents.text"): "needed to record, not to read",
    ("service/sealed_seeds.py", "platformdirs"): "few commands need a seed",
    ("cli/session.py", "tracker.service.application"): "help stays quick",
    (
        "cli/roster.py",
        "tracker.campaign.records",
    ): "a roster is read from the boards; a comparison needs states",
    (
        "cli/roster.py",
        "tracker.reports.differences",
    ): "a roster is read from the boards; a comparison needs states",
    ("cli/webhook.py", "tracker.reports.webhook_posts"): "few commands post",
    ("cli/webhook.py", "tracker.service.webhook_delivery"): "few commands post",
    ("cli/log.py", "tracker.documents.text"): "needed to confirm a roll, not to read the log",
    ("documents/planned_decisions.py", "msgspec"): "judging and chances read files too, and need no log",
    (
        "reports/cards.py",
        "tracker.rules",
    ): "a roster is read from the boards; only a card being written needs a book",
    ("reports/names.py", "tracker.campaign"): "a roster is read from the boards, and names no event",
    (
        "service/application.py",
        "tracker.service.amendments",
    ): "boards alone are read without events and rules",
    ("service/application.py", "tracker.service.archives"): "boards alone are read without events and rules",
    ("service/application.py", "tracker.service.audit"): "boards alone are read without events and rules",
    (
        "service/application.py",
        "tracker.service.provable_dice",
    ): "boards alone are read without events and rules",
    (
        "service/application.py",
        "tracker.service.sealed_seeds",
    ): "boards alone are read without events and rules",
    (
        "service/application.py",
        "tracker.service.command_handler",
    ): "boards alone are read without events and rules",
    (
        "service/application.py",
        "tracker.service.continuation",
    ): "boards alone are read without events and rules",
    ("service/application.py", "tracker.service.proposals"): "a roster waits for nobody's word",
    ("service/application.py", "tracker.service.gang_emblems"): "a roster is no picture",
    ("service/application.py", "tracker.service.drafts"): "a roster is no report on its way",
    ("service/application.py", "tracker.service.people"): "a roster names nobody who signed in",
    ("service/application.py", "tracker.service.disputes"): "boards alone are read without events and rules",
    (
        "service/application.py",
        "tracker.service.repository",
    ): "boards alone are read without events and rules",
    ("service/application.py", "tracker.service.signing"): "only who signs needs keys",
    ("service/application.py", "tracker.service.cells"): "few hosts have several",
    ("service/application.py", "tracker.service.webhooks"): "a roster is posted nowhere",
    ("service/application.py", "tracker.service.rulings"): "boards alone are read without events and rules",
    ("log/board_source.py", "tracker.log"): "an SQLite file is read without SQLAlchemy, which is slow",
    (
        "log/board_source.py",
        "tracker.log.consistent_reads",
    ): "an SQLite file is read without SQLAlchemy, which is slow",
    ("service/application.py", "tracker.log"): "boards alone are read without SQLAlchemy",
    ("service/boards.py", "tracker.log"): "boards alone are read without SQLAlchemy",
    ("service/boards.py", "tracker.projections"): "boards alone are read without SQLAlchemy",
    ("service/boards.py", "tracker.projections.entry_queries"): "boards alone are read without SQLAlchemy",
    ("service/boards.py", "tracker.projections.entry_rows"): "boards alone are read without SQLAlchemy",
    ("service/boards.py", "tracker.campaign.records"): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.campaign.steps"): "boards alone are read without events and rules",
    (
        "service/boards.py",
        "tracker.projections.number_lineage",
    ): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.projections.ledger"): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.rules"): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.service.explanations"): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.service.disputes"): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.service.as_of_queries"): "boards alone are read without events and rules",
    (
        "service/boards.py",
        "tracker.service.pending_outcomes",
    ): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.service.struck_battles"): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.service.roll_witnesses"): "boards alone are read without events and rules",
    ("service/boards.py", "tracker.service.thrown_dice"): "boards alone are read without events and rules",
    (
        "service/confusable_names.py",
        "confusable_homoglyphs.confusables",
    ): "needed to confirm a roll, and slow",
    ("cli/odds.py", "tracker.documents.judge_file"): "needed for one option only, and slow",
    ("cli/odds.py", "tracker.documents.yaml_reader"): "needed for one option only, and slow",
    ("log/hashing_worker.py", "psycopg"): "a file is hashed without it, and it is slow",
    ("log/revisions.py", "sqlalchemy"): "needed when a database is not at head, and slow",
    ("log/database.py", "alembic"): "needed when a database is not at head, and slow",
    ("log/database.py", "alembic.config"): "needed when a database is not at head, and slow",
    ("log/database.py", "alembic.script"): "needed when a database is not at head, and slow",
    ("reports/rendering.py", "tracker.reports.html"): "one form only; its templates are slow",
    ("reports/terminal_text.py", "rich.cells"): "needed for tables only, and slow",
}

UNCLEAN = {
    "alembic", "asyncio", "click", "datetime", "glob", "io", "locale", "logging", "os", "pathlib",
    "pkgutil", "platform", "platformdirs", "psycopg", "pydantic", "random", "rich", "ruamel", "secrets", "shutil",
    "socket", "sqlalchemy", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "uuid", "uuid_utils",
}  # fmt: skip
UNCLEAN_CALLS = {"open", "input", "print", "breakpoint", "exec", "eval", "id", "hash"}
ALLOWED_CALLS = {
    (
        "campaign/odds/interning.py",
        "id",
    ): "to look through what many states share once; no outcome rests on the number",
    (
        "campaign/rulings/access_tracking.py",
        "id",
    ): "to stand in for one record always by the same; no outcome rests on the number",
    ("campaign/odds/symbolic.py", "hash"): "a value's own hash, for a dictionary",
}
CACHING = {
    "rules/loader.py": "books and policies",
    "rules/tables.py": "rows by cell and by id",
    "rules/advancement_tables.py": "advancements by id",
    "rules/vehicle_tables.py": "the parts of a vehicle and the kinds of damage",
    "rules/necromunda/save_roll.py": "saves of plain numbers",
    "rules/necromunda/weapon_traits.py": "traits as read off a card",
    "rules/necromunda/shooting.py": "what a hit roll of plain numbers needs",
    "campaign/profiles.py": "the traits of what is carried",
    "campaign/steps/__init__.py": "the rulebook of a battle's policies",
    "campaign/steps/decision.py": "modifiers as events keep them",
    "campaign/records/declaring.py": "the kinds of a record's fields",
    "campaign/odds/interning.py": "how a type of record is taken apart",
    "campaign/odds/symbolic.py": "the ways in which dice can fall",
}
"""Where results are remembered between calls: of what never changes."""

EXIT_CODES = {1, 2, 3, 4}
"""What a refusal may leave with; 0, 70 and 130 are no refusals."""


def files() -> Iterator[Path]:
    yield from sorted(PACKAGE.rglob("*.py"))


def inside(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def is_core(file: Path) -> bool:
    return inside(file).partition("/")[0] in CORE


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes(file: Path) -> list[ast.AST]:
    return list(ast.walk(tree(file)))


def imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom():
            return [node.module or ""]
        case _:
            return []


@cache
def modules() -> dict[str, None]:
    """Their names, in order."""
    names = [module.name for module in pkgutil.walk_packages(tracker.__path__, "tracker.")]
    return dict.fromkeys(name for name in names if not name.endswith(".__main__"))


# --- the core ---------------------------------------------------------------------------------------------


def test_the_core_touches_no_framework_clock_chance_or_environment() -> None:
    touched = [
        f"{inside(file)}:{node.lineno}: {name}"
        for file in files()
        if is_core(file)
        for node in nodes(file)
        for name in imported(node)
        if name.partition(".")[0] in UNCLEAN
    ]
    assert touched == []


def test_the_core_opens_nothing_and_prints_nothing() -> None:
    called = [
        (inside(file), node.func.id)
        for file in files()
        if is_core(file)
        for node in nodes(file)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in UNCLEAN_CALLS
    ]
    assert set(called) - set(ALLOWED_CALLS) == set()


def test_the_core_keeps_nothing_between_two_calls() -> None:
    """No `global`; what is remembered never changes."""
    kept = [
        f"{inside(file)}:{node.lineno}"
        for file in files()
        if is_core(file)
        for node in nodes(file)
        if isinstance(node, (ast.Global, ast.Nonlocal))
    ]
    caching = {
        inside(file)
        for file in files()
        if is_core(file)
        for node in nodes(file)
        if isinstance(node, ast.ImportFrom) and node.module in ("functools", "tracker.records")
        if {alias.name for alias in node.names}
        & {"cache", "lru_cache", "cached_property", "cached_by_identity"}
    }
    assert kept == []
    assert caching - set(CACHING) == set()


BUILDING = {
    "records.py": "under its lock",
    "projections/row_json.py": "of no type: any JSON",
}
"""Where msgspec meets types: two threads that meet a type of ours at once in msgspec end the process."""


def test_decoders_of_our_types_are_built_in_one_place_under_its_lock() -> None:
    building = {
        inside(file)
        for file in files()
        for node in nodes(file)
        if isinstance(node, ast.Call)
        if getattr(node.func, "attr", None) in ("Decoder", "convert", "decode")  # to write all out takes 2 s
        if ast.unparse(node.func).endswith(("json.Decoder", "msgspec.convert"))
        or (
            ast.unparse(node.func).endswith("json.decode")
            and any(keyword.arg == "type" for keyword in node.keywords)
        )
    }
    assert building == BUILDING.keys()


# --- what rule code may not know --------------------------------------------------------------------------


def names_of_books_and_house_rules() -> set[str]:
    """Ids of books, policies and presets."""
    policies = set(loader.policies())
    return {
        *loader.book_names(),
        *policies,
        *(name.partition("@")[0] for name in policies),
        *loader.presets(),
    }


def docstrings(file: Path) -> set[int]:
    """Where the words for people stand: they may name a book as their source."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        id(node.body[0].value)
        for node in nodes(file)
        if isinstance(node, owners) and node.body and isinstance(node.body[0], ast.Expr)
    }


def test_rule_code_knows_no_book_and_no_policy_by_name() -> None:
    named = names_of_books_and_house_rules()
    known = []
    for file in files():
        if not is_core(file) or inside(file) == "rules/loader.py":
            continue
        words = docstrings(file)
        for node in nodes(file):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words:
                known += [f"{inside(file)}:{node.lineno}: {name}" for name in named if name in node.value]
    assert len(named) > 3
    assert known == []


# --- refusals ---------------------------------------------------------------------------------------------


def refusals() -> list[type[Refusal]]:
    for name in modules():
        importlib.import_module(name)
    found, waiting = [], [Refusal]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith("tracker.") and kind.__module__ != "tracker.errors":
                found.append(kind)
    return sorted(set(found), key=lambda kind: (kind.__module__, kind.__name__))


@every("kind", refusals(), ids=lambda kind: kind.__name__)
def test_a_refusal_writes_its_own_message_and_has_a_documented_exit_code(kind: type[Refusal]) -> None:
    assert kind.__doc__ or kind.message is not Refusal.message, "it speaks only in its family's words"
    if kind.message in (Refusal.message, Misplaced.message):
        said = {name for _, name, _, _ in string.Formatter().parse(kind.__doc__ or "") if name is not None}
        words = {name for name in said if name.startswith("game.") and hasattr(USUAL, name[5:])}
        assert said - words <= kind._fields.keys(), "its docstring names a fact that it has not"
    # An exit code may rest on the facts; then it is looked at where the refusal is tested.
    assert isinstance(kind.exit_code, property) or kind.exit_code in EXIT_CODES
    assert "Error" not in kind.__name__


def test_no_two_refusals_share_a_name() -> None:
    names = [kind.__name__ for kind in refusals()]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_no_two_public_classes_share_a_name() -> None:
    """But those of the verifier that a stranger runs: it is one file that stands alone."""
    homes: dict[str, list[str]] = {}
    for file in files():
        if file.name != "verify.py":
            for node in tree(file).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(inside(file))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


# --- words and sizes --------------------------------------------------------------------------------------


def test_every_module_says_what_it_is() -> None:
    assert [inside(file) for file in files() if not ast.get_docstring(tree(file))] == []


def test_every_public_function_of_rules_says_what_it_gives() -> None:
    """Units, refusals and the source are said there; elsewhere a docstring stands where it adds one of these."""
    silent = [
        f"{inside(file)}:{node.name}"
        for file in files()
        if inside(file).startswith("rules/")
        for node in nodes(file)
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not ast.get_docstring(node)
    ]
    assert silent == []


def test_files_are_short_enough_to_be_read_or_say_why_not() -> None:
    longer = {
        inside(file): lines
        for file in files()
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > LINES_MAX
    }
    assert set(longer) - set(LONGER_FILES) == set(), longer


def test_imports_stand_at_the_top_or_are_listed_with_a_reason() -> None:
    inner = set()
    for file in files():
        functions = [
            node for node in nodes(file) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
        lines = {line for node in functions for line in range(node.lineno, (node.end_lineno or 0) + 1)}
        imports = [node for node in nodes(file) if isinstance(node, (ast.Import, ast.ImportFrom))]
        inner |= {(inside(file), name) for node in imports if node.lineno in lines for name in imported(node)}
    assert inner - set(IMPORTS_INSIDE_FUNCTIONS) == set()


def test_nothing_committed_names_a_place_on_somebodys_machine() -> None:
    def text_of(file: Path) -> str:
        return file.read_text(encoding="utf-8", errors="replace")

    places = ("/ho" + "me/", "/Us" + "ers/", "/ro" + "ot/", "/wo" + "rk/", "C:" + "\\Users")
    kinds = {".py", ".toml", ".md", ".yaml", ".json", ".jsonl", ".txt", ".lock", ".ini", ".cfg", ""}
    folders = ("bench", "docs", "fixtures", "migrations", "requirements", "tests", "tracker")
    found = [
        f"{file.relative_to(ROOT)}: {place}"
        for folder in folders
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and file.suffix in kinds and "__pycache__" not in file.parts
        for place in places
        if place in text_of(file)
    ]
    assert found == []


# --- imports -----------------------------------------------------------------------------------------------

NAMES_MAX = 5
VOCABULARIES = {
    "tracker.api": "the public names, as a program imports them",
    "tracker.campaign.profiles": "types of a card",
    "tracker.campaign.records.kinds": "kinds of fields",
    "tracker.campaign.records.shot_parts": "parts of a shot",
    "tracker.campaign.state": "types of the state",
    "tracker.cli.options": "decorators",
    "tracker.dice": "dice and what they refuse",
    "tracker.documents.report_entries": "forms of a battle report",
    "tracker.people.records": "rows of people",
    "tracker.schema": "tables",
    "tracker.records": "what every record is made with",
    "tracker.reports.page": "the parts of a page",
    "tracker.rules.conversion": "what every table is converted with",
}
"""Modules whose names are imported one by one, however many: they read as words wherever they stand."""


def test_of_a_module_of_ours_no_more_than_five_names_are_imported() -> None:
    """More than that, and the module is imported: `holdings.rating` says where it comes from."""
    lists = [
        f"{inside(file)}: {len(names)} of {node.module}"
        for file in files()
        for node in nodes(file)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tracker.")
        if node.module not in VOCABULARIES
        if len(names := [name.name for name in node.names if f"{node.module}.{name.name}" not in modules()])
        > NAMES_MAX
    ]
    assert lists == []
