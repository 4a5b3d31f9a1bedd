"""Drafts as pages: their content so far, and the present question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tracker.drafts.records import Draft
from tracker.reports import people
from tracker.reports.log import when
from tracker.reports.page import Bullets, DataTable, Page, Text

_KINDS = {"battle": "Battle", "post-battle": "After a battle", "gang": "Gang"}


def drafts_page(drafts: Sequence[Draft]) -> Page:
    """Every draft of a campaign."""
    columns = ("Draft", "Of", "Revision", "Changed by", "At")
    return Page(
        schema="drafts",
        blocks=lambda: [
            [
                DataTable(
                    columns,
                    [
                        (
                            draft.draft,
                            _KINDS[draft.kind],
                            draft.revision,
                            people.person(draft.changed_by),
                            when(draft.changed_at),
                        )
                        for draft in drafts
                    ],
                )
                if drafts
                else Text(["No drafts. Begin one: arbitrator draft begin battle"])
            ]
        ],
        data=lambda: {"drafts": [_draft_data(draft) for draft in drafts]},
    )


def draft_page(draft: Draft, at: Mapping[str, Any]) -> Page:
    """A draft with its question; `at` is the step as plain data."""
    return Page(
        schema="draft",
        blocks=lambda: [
            [Text([_about(draft)])],
            *([[Bullets([*at["so_far"]])]] if at["so_far"] else []),
            *([[Text([*at["wrong"], *at["said"]])]] if at["wrong"] or at["said"] else []),
            [Text(_asked(draft, at["question"]))],
        ],
        data=lambda: {"draft": _draft_data(draft), **at},
    )


def stuck_page(
    draft: Draft, why: str, *, entry: int | None, dice_given_up: bool, holds_without: bool
) -> Page:
    """A draft that no longer follows from the campaign, or whose dice were given up.

    `entry` is the first one that no longer follows; `holds_without`: the draft continues without the entry
    being answered.
    """
    undo = f"'arbitrator draft undo {draft.draft} --revision {draft.revision}"
    lines = [_about(draft), why]
    lines += [f"Ask for those dice again: {undo}'."] if dice_given_up else []
    lines += [f"Go on without this entry: {undo} --entry'."] if holds_without else []
    lines += [f"Take that entry out: {undo} --number {entry}'."] if entry is not None else []
    lines += ["Discard it, or record what it holds by hand:", draft.text]
    return Page(
        schema="draft",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {
            "draft": _draft_data(draft),
            "refused": why,
            "entry": entry,
            "dice_given_up": dice_given_up,
            "holds_without": holds_without,
            "document": draft.text,
        },
    )


def document_page(draft: Draft, document: str) -> Page:
    """The file as it is, and nothing else."""
    return Page(
        schema="draft-document",
        blocks=lambda: [[Text(document.splitlines() or ["# nothing yet"])]],
        data=lambda: {"draft": _draft_data(draft), "document": document},
    )


def _about(draft: Draft) -> str:
    who = people.person(draft.changed_by)
    return (
        f"{_KINDS[draft.kind]}, draft {draft.draft}, revision {draft.revision}: changed by {who},"
        f" {when(draft.changed_at)}."
    )


def _asked(draft: Draft, question: Mapping[str, Any]) -> list[str]:
    if question["shape"] == "record":
        return [
            "Nothing more is asked. The file:",
            f"  arbitrator draft show {draft.draft} --document",
        ]
    options = ", ".join(option["value"] for option in question["options"])
    beside = ", ".join(side["value"] for side in question["beside"])
    enter = f" [{question['enter']}]" if question["enter"] else ""
    return [
        f"{question['words']}{enter}",
        *([f"  {options}"] if options else []),
        *([f"  also: {', '.join(question['also'])}"] if question["also"] else []),
        *([f"  add after a comma: {beside}"] if beside else []),
        f"  arbitrator draft answer {draft.draft} ANSWER --revision {draft.revision}",
    ]


def _draft_data(draft: Draft) -> dict[str, Any]:
    return {
        "draft": draft.draft,
        "kind": draft.kind,
        "revision": draft.revision,
        "made_by": draft.made_by,
        "made_by_name": people.person(draft.made_by),
        "made_at": draft.made_at,
        "changed_by": draft.changed_by,
        "changed_by_name": people.person(draft.changed_by),
        "changed_at": draft.changed_at,
    }
