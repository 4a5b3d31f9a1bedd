"""Schemas: what an editor needs to complete and check a file."""

from __future__ import annotations

import json

import click

from tracker.cli.options import show
from tracker.documents.schemas import SCHEMAS, json_schema


@click.command("schema")
@click.argument("name", type=click.Choice(SCHEMAS))
def command(name: str) -> None:
    """Print the JSON Schema of a file format."""
    show(json.dumps(json_schema(name), indent=2, ensure_ascii=False))
