"""JSON Schemas: with them an editor completes and checks a file, and a program reads an answer."""

from __future__ import annotations

import json

import click

from tracker.cli.options import show
from tracker.documents.schemas import SCHEMAS, json_schema
from tracker.reports import judgement_data, refusal

_SHOWN = {
    refusal.SCHEMA: refusal.refusal_schema,
    judgement_data.SCHEMA: judgement_data.judgement_schema,
}
"""The schemas of what --json prints, by name."""


@click.command("schema")
@click.argument("name", type=click.Choice((*SCHEMAS, *_SHOWN)))
def command(name: str) -> None:
    """Print the JSON Schema of a file format, for your editor.

    Also of what --json prints for a refusal or a judgement.

    \b
    arbitrator schema battle-report > battle-report.schema.json
    """
    schema = _SHOWN[name]() if name in _SHOWN else json_schema(name)
    show(json.dumps(schema, indent=2, ensure_ascii=False))
