"""The static files of pages. A browser caches them for good, because a changed file has another name.

Knows no page. Every file is read and compressed once.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from starlette.responses import Response

from tracker.service import standalone_verifier

PATH: Final = "/static/{name}"
WORKER: Final = "/sw.js"
MANIFEST: Final = "/manifest.webmanifest"
_MEDIA: Final = {
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8", "woff2": "font/woff2", "png": "image/png",
}  # fmt: skip
_APP_ICONS: Final = (
    ("app-192.png", 192, "any"),
    ("app-512.png", 512, "any"),
    ("app-maskable-512.png", 512, "maskable"),
)
"""Icons for phones, which take no SVG; made by requirements/pages/make_app_icons.py."""
KEPT: Final = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A file with its headers."""

    content: bytes
    compressed: bytes
    media: str


@cache
def _all() -> tuple[dict[str, str], dict[str, Asset]]:
    """The public name of each file, and the files by that name."""
    called: dict[str, str] = {}
    files: dict[str, Asset] = {}
    found = {
        file.name: file.read_bytes()
        for file in resources.files("tracker.server.pages").joinpath("static").iterdir()
        if file.is_file()
    }
    found["verify.js"] = standalone_verifier.page_script()
    for own_name in sorted(found, key=lambda name: name.endswith(".css")):  # sheets name other files: last
        content = found[own_name]
        if own_name.endswith(".css"):
            for other, path in called.items():
                content = content.replace(f"url({other})".encode(), f"url({path})".encode())
        stem, dot, ending = own_name.rpartition(".")
        if not dot or ending not in _MEDIA:
            continue
        name = f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
        called[own_name] = f"/static/{name}"
        files[name] = Asset(content, gzip.compress(content, 9, mtime=0), _MEDIA[ending])
    return called, files


def address(name: str) -> str:
    """The address of a file: '/static/style.0123456789ab.css'."""
    return _all()[0][name]


def manifest() -> dict[str, Any]:
    """The web app manifest, for installing the pages on a phone."""
    icons = [{"src": address("icon.svg"), "type": "image/svg+xml", "sizes": "any", "purpose": "any"}]
    for name, side, purpose in _APP_ICONS:
        size = f"{side}x{side}"
        icons.append({"src": address(name), "type": "image/png", "sizes": size, "purpose": purpose})
    return {
        "name": "Arbitrator",
        "short_name": "Arbitrator",
        "description": "Campaigns of skirmish games: gangs, battles, and why each number is what it is.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f2ec",
        "theme_color": "#1f1a17",
        "icons": icons,
    }


def addresses() -> dict[str, str]:
    """The addresses of all files."""
    return dict(_all()[0])


def response(name: str, encodings: str) -> Response | None:
    """The response for a file of that name, or None."""
    asset = _all()[1].get(name)
    if asset is None:
        return None
    headers = {"Cache-Control": KEPT, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
    if "gzip" in encodings and len(asset.compressed) < len(asset.content):
        return Response(
            asset.compressed, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.media
        )
    return Response(asset.content, headers=headers, media_type=asset.media)
