"""Schemas: what an editor needs to complete and check a file, and a program to read an answer."""

from __future__ import annotations

import json

import click

from tracker.cli.options import show
from tracker.documents.schemas import SCHEMAS, json_schema
from tracker.reports.refusal import SCHEMA, refusal_schema


@click.command("schema")
@click.argument("name", type=click.Choice((*SCHEMAS, SCHEMA)))
def command(name: str) -> None:
    """Print the JSON Schema of a file format, or of what --json shows of a refusal."""
    schema = refusal_schema() if name == SCHEMA else json_schema(name)
    show(json.dumps(schema, indent=2, ensure_ascii=False))
