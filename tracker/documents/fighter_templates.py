"""Fighter templates on a sheet: `like` copies another fighter's card, `names` makes several fighters of one
card.

They are expanded before the sheet is read, so that every value keeps its line and column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tracker.documents.nodes import Document, Node, Path, shown
from tracker.documents.text import slug_of
from tracker.documents.validation import Problems
from tracker.errors import nearest

LIKE: Final = "like"
NAMES: Final = "names"
NOT_INHERITED: Final = frozenset({"id", "name", NAMES, "so_far", "xp"})
"""What a fighter never takes over from another: who they are and what they have been through."""
NAMES_MAX: Final = 20
FIGHTERS_MAX: Final = 100


def expand_templates(document: Document, what: str) -> Document:
    """The sheet with every fighter on its own. Raises DocumentRefused where one of them cannot be meant."""
    listed = document.root.child("fighters")
    if listed is None or not isinstance(listed.content, tuple):
        return document
    if not any(isinstance(node.content, dict) and {LIKE, NAMES} & {*node.content} for node in listed.content):
        return document
    problems = Problems(document, what)
    faults: dict[Path, str] = {}
    cards = [_resolve(at, listed.content, (), faults) for at in range(len(listed.content))]
    for path, fault in faults.items():
        problems.add(path, fault)
    problems.refuse()
    fighters: list[Node] = []
    for at, card in enumerate(cards):
        fighters += _copies(card, ("fighters", at), problems)
    if len(fighters) > FIGHTERS_MAX:
        problems.add(
            ("fighters",), f"these are {len(fighters)} fighters, and a sheet has at most {FIGHTERS_MAX}."
        )
    problems.refuse()
    assert isinstance(document.root.content, dict), "fighters stand in a map"
    content = {**document.root.content, "fighters": Node(content=tuple(fighters), place=listed.place)}
    root = Node(content=content, place=document.root.place, keys=document.root.keys)
    return Document(file=document.file, root=root)


def _resolve(at: int, listed: Sequence[Node], resolving: tuple[int, ...], faults: dict[Path, str]) -> Node:
    """A fighter with all that is taken over from another."""
    node, place = listed[at], ("fighters", at, LIKE)
    model = node.child(LIKE)
    if model is None or not isinstance(node.content, dict):
        return node
    position_of = {name: position for position, card in enumerate(listed) for name in _names_of(card)}
    template_name = model.content if isinstance(model.content, str) else ""
    position = position_of.get(template_name.casefold())
    if not template_name:
        faults[place] = "`like` names another fighter of this sheet."
    elif position is None:
        guess = (
            nearest(template_name, position_of) or f" On this sheet: {', '.join(position_of) or 'nobody'}."
        )
        faults[place] = f"no fighter of this sheet is called {shown(template_name)!r}.{guess}"
    elif position in (*resolving, at):
        faults[place] = "these fighters are like each other in a circle: write one of them out."
    else:
        template = _resolve(position, listed, (*resolving, at), faults)
        card = template.content if isinstance(template.content, dict) else {}
        inherited = {key: value for key, value in card.items() if key not in NOT_INHERITED and key != LIKE}
        own = {key: value for key, value in node.content.items() if key != LIKE}
        return Node(content={**inherited, **own}, place=node.place, keys={**template.keys, **node.keys})
    return node


def _names_of(node: Node) -> list[str]:
    """What a fighter may be called by `like`: id, name, or one of its names."""
    names = []
    for key in ("id", "name"):
        child = node.child(key)
        if child is not None and isinstance(child.content, str):
            names += [child.content.casefold(), slug_of(child.content)]
    return [name for name in names if name]


def _copies(card: Node, path: Path, problems: Problems) -> list[Node]:
    """A fighter for each of its `names`; itself where it has none."""
    names = card.child(NAMES)
    if names is None or not isinstance(card.content, dict):
        return [card]
    listed: Any = names.content
    if not isinstance(listed, tuple) or not 1 <= len(listed) <= NAMES_MAX:
        problems.add_expected((*path, NAMES), f"a list of 1 to {NAMES_MAX} names")
        return []
    for key in ("id", "name"):
        if key in card.content:
            problems.add(
                path, f"a fighter with `{NAMES}` has no `{key}`: the ids are made of the names.", key=key
            )
    shared: Mapping[str, Node] = {key: value for key, value in card.content.items() if key != NAMES}
    return [
        Node(content={"name": name, **shared}, place=card.place, keys={**card.keys, "name": name.place})
        for name in listed
    ]
