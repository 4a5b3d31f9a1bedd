"""Stops Pydantic from importing its plugin loader, which takes a twelfth of a cold `judge`.

Knows the name of a private module of Pydantic. If a release renames it, it is imported as usual.
"""

from __future__ import annotations

import importlib
import os
import sys
import types
from typing import Any

_LOOKS_FOR_PLUGINS = "pydantic.plugin._loader"


class _NoPlugins(types.ModuleType):
    """Stands in the place of that module, as long as nothing but its plugins is asked for."""

    @staticmethod
    def get_plugins() -> tuple[()]:
        return ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        sys.modules.pop(self.__name__, None)
        return getattr(importlib.import_module(self.__name__), name)


def skip_plugin_search() -> None:
    """Where plugins are switched off, nothing is imported to look for them."""
    if os.environ.get("PYDANTIC_DISABLE_PLUGINS") == "__all__":
        sys.modules.setdefault(_LOOKS_FOR_PLUGINS, _NoPlugins(_LOOKS_FOR_PLUGINS))
