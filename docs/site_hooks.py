"""Beside MkDocs, for `make docs`: brings in the pages of the top folder, and links them as on the forge."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
ABOVE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "SECURITY.md": "SECURITY.md",
    "bench/README.md": "bench.md",
    "LICENSE": "LICENSE",
}
"""Pages outside `docs/`, and where they stand in the site."""


def slug(heading: str, separator: str) -> str:
    """The anchor of a heading, as the forge makes it (and `tests/test_docs_pages.py`)."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_config(config: Any) -> Any:
    config.mdx_configs["toc"]["slugify"] = slug
    return config


def on_files(files: Files, config: Any) -> Files:
    for path, place in ABOVE.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=relinked(text, (ROOT / path).parent, place)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links that leave `docs/` lead to the page's place in the site."""
    if page.file.abs_src_path is None:
        return markdown
    return relinked(markdown, Path(page.file.abs_src_path).parent, page.file.src_uri)


def relinked(text: str, folder: Path, place: str) -> str:
    """The text of a page at `place` in the site, whose links were written in `folder`."""

    def relink(link: re.Match[str]) -> str:
        target, anchor = link[1], link[2] or ""
        path = (folder / target).resolve().relative_to(ROOT).as_posix()
        inside = ABOVE.get(path) or path.removeprefix("docs/")
        return f"]({'../' * place.count('/')}{inside}{anchor})"

    return re.sub(r"\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]+)?\)", relink, text)
