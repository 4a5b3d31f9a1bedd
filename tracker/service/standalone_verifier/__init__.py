"""Programs that travel in an archive, for people who have no other."""

from __future__ import annotations

from importlib import resources


def page_script() -> bytes:
    """What `verify.html` knows of notes, keys and hashes, for other pages: its script but for the page itself."""
    page = (
        resources.files("tracker.service.standalone_verifier")
        .joinpath("verify.html")
        .read_text(encoding="utf-8")
    )
    _, _, script = page.partition("<script>\n")
    known, mark, _ = script.partition("// --- the page ---")
    assert mark, "the script ends with the page's own part"
    return known.encode()
