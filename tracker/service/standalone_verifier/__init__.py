"""Programs that travel in an archive, for people who have no other."""

from __future__ import annotations

from importlib import resources


def page_script() -> bytes:
    """The script of `verify.html` without its page: notes, keys and hashes, for other pages."""
    page = (
        resources.files("tracker.service.standalone_verifier")
        .joinpath("verify.html")
        .read_text(encoding="utf-8")
    )
    _, _, script = page.partition("<script>\n")
    known, mark, _ = script.partition("// --- the page ---")
    assert mark, "the script ends with the page's own part"
    return known.encode()
