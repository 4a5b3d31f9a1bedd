"""Loads books, house rules and presets from their TOML files, once.

The only place in the core that reads files. It refuses contents that contradict each other before anybody
plays: `book_reading` checks books, this module house rules and presets.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from tracker.errors import BadInput
from tracker.records import replace
from tracker.rules.book_reading import build_book, digest_of
from tracker.rules.conversion import BrokenBook, convert
from tracker.rules.own_rows import OwnRow, check_rows, split, with_rows
from tracker.rules.rulebook import Book, Policy, Preset, Rulebook


class UnknownBook(BadInput):
    """There is no rulebook {book!r}.{book:nearest} Known: {known}."""

    book: str
    known: tuple[str, ...]


class UnknownPolicy(BadInput):
    """There is no house rule {policy!r}.{policy:nearest} See 'arbitrator policy list'."""

    policy: str
    known: tuple[str, ...]


class UnknownPreset(BadInput):
    """There is no preset {preset!r}.{preset:nearest} Known: {known}."""

    preset: str
    known: tuple[str, ...]


def book_names() -> tuple[str, ...]:
    """The ids of all books."""
    return tuple(
        sorted(
            folder.name for folder in _here("books").iterdir() if folder.is_dir() and folder.name[0] != "_"
        )
    )


@cache
def book(name: str) -> Book:
    """A book, read once. Raises UnknownBook or BrokenBook."""
    if name not in book_names():
        raise UnknownBook(book=name, known=book_names())
    return build_book(book_files(name), where=name)


@cache
def book_files(name: str) -> dict[str, dict[str, Any]]:
    """The content of every file of a book by the file's stem, read once. Not to be changed."""
    files = sorted((_here("books") / name).iterdir(), key=lambda entry: entry.name)
    return {file.name.removesuffix(".toml"): _read(file) for file in files if file.name.endswith(".toml")}


@cache
def policies() -> Mapping[str, Policy]:
    """Every house rule, by 'id@version'. Raises BrokenBook."""
    by_name = {}
    for file in sorted(_here("policies").iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml") and file.name != "presets.toml":
            policy = convert(_read(file), Policy, file=file.name)
            if file.name != f"{policy.id}.toml":
                raise BrokenBook(
                    file=file.name, fault=f"holds {policy.id}, whose file is named {policy.id}.toml"
                )
            by_name[policy.id] = policy
    return by_name


def policies_for(book_name: str | None) -> list[Policy]:
    """The house rules about knobs of this book; all of them for None."""
    known = policies().values()
    if book_name is None:
        return list(known)
    knobs = book(book_name).knobs
    return [policy for policy in known if all(knob in knobs for knob in policy.patch)]


def policy(name: str) -> Policy:
    """A policy by 'id@version', or the newest version by 'id'. Raises UnknownPolicy."""
    known = policies()
    if name in known:
        return known[name]
    versions = [policy for policy in known.values() if policy.policy == name]
    if not versions:
        raise UnknownPolicy(policy=name, known=(*known, *{policy.policy for policy in known.values()}))
    return max(versions, key=lambda policy: policy.version)


@cache
def presets() -> Mapping[str, Preset]:
    """Every preset by id, with existing house rules only. Raises BrokenBook."""
    content = _read(_here("policies") / "presets.toml")
    by_name = {}
    for name, printed in content.items():
        preset = convert({"preset": name, **printed}, Preset, file="presets.toml")
        for listed in preset.policies:
            if listed not in policies():
                raise BrokenBook(file="presets.toml", fault=f"{name} lists {listed}, which is no house rule")
        by_name[name] = preset
    return by_name


def preset(name: str) -> Preset:
    """A preset by id. Raises UnknownPreset."""
    if name not in presets():
        raise UnknownPreset(preset=name, known=tuple(presets()))
    return presets()[name]


def fitting_policies(preset_name: str, book_name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A preset's policies with knobs that this book has, and those with knobs that it lacks."""
    knobs = book(book_name).knobs
    listed = preset(preset_name).policies
    fitting = tuple(name for name in listed if all(knob in knobs for knob in policy(name).patch))
    return fitting, tuple(name for name in listed if name not in fitting)


def rulebook(book_name: str, patches: Sequence[tuple[str, Mapping[str, str]]]) -> Rulebook:
    """The book with policies applied in the order adopted. `patches` holds ('id@version', patch) pairs."""
    return _rulebook(
        book_name, tuple((policy_id, tuple(sorted(patch.items()))) for policy_id, patch in patches)
    )


@lru_cache(maxsize=256)
def _rulebook(book_name: str, patches: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]) -> Rulebook:
    printed = book(book_name)
    settings = {name: knob.printed for name, knob in printed.knobs.items()}
    rows: dict[str, OwnRow] = {}
    for policy_id, patch in patches:
        moved, own = split(dict(patch))
        printed.check_patch(moved)
        check_rows(printed, own)
        settings.update(moved)
        rows.update({row.name: replace(row, policy=policy_id) for row in own})
    played = with_rows(printed, tuple(rows.values()))
    version = " + ".join([f"{printed.book}@{printed.edition}", *(policy_id for policy_id, _ in patches)])
    return Rulebook(
        book=played,
        settings=settings,
        version=version,
        digest=digest_of({"book": played.digest, "settings": settings}),
    )


def _here(folder: str) -> Traversable:
    return resources.files("tracker.rules") / folder


def _read(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as missing:
        raise BrokenBook(file=file.name, fault="is missing") from missing
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BrokenBook(file=file.name, fault=f"is no readable TOML ({wrong})") from wrong
