"""Pydantic looks for no plugin of another package, and what it asks else is answered by its own module."""

import sys

import pytest
from pydantic import BaseModel

from tracker.documents import pydantic_plugins

LOADER = "pydantic.plugin._loader"


def test_nothing_is_imported_to_look_for_plugins_and_other_names_are_pydantics_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, LOADER, raising=False)
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "__all__")
    pydantic_plugins.skip_plugin_search()
    stands = sys.modules[LOADER]
    assert type(stands).__module__ == pydantic_plugins.__name__

    class Numbers(BaseModel):
        number: int

    assert Numbers(number=3).number == 3
    assert sys.modules[LOADER] is stands
    assert stands.PYDANTIC_ENTRY_POINT_GROUP == "pydantic"
    assert sys.modules[LOADER] is not stands


def test_whoever_switches_plugins_on_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, LOADER, raising=False)
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "one,another")
    pydantic_plugins.skip_plugin_search()
    assert LOADER not in sys.modules
