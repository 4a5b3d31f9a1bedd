"""Plain data as the YAML that this program reads."""

from __future__ import annotations

import io
from typing import Any

from ruamel.yaml import YAML


def as_yaml(value: dict[str, Any]) -> str:
    """Maps, lists, texts and numbers as YAML, keys in their order."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.allow_unicode = True
    yaml.width = 100
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]  # keys stand as a person writes them
    yaml.representer.ignore_aliases = lambda _: True  # what stands twice is written twice
    written = io.StringIO()
    yaml.dump(value, written)
    return written.getvalue()
