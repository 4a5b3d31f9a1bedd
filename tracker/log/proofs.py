"""Proofs over a Merkle tree: that a leaf is in it, and that a later tree begins with an earlier one.

Exactly RFC 6962, 2.1.1 and 2.1.2. Knows hashes. Knows no event, no campaign and no signature.
"""

from collections.abc import Sequence

from tracker.log.chain import EMPTY_ROOT, HASH_BYTES, node_hash


class Tree:
    """A tree over leaf hashes that keeps every full subtree: two hashes of memory for each leaf."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._levels = [list(leaves)]
        while len(below := self._levels[-1]) > 1:
            pairs = zip(below[::2], below[1::2], strict=False)
            self._levels.append([node_hash(left, right) for left, right in pairs])

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._levels[0])

    def leaf(self, index: int) -> bytes:
        """A leaf's hash."""
        return self._levels[0][index]

    def root(self, size: int | None = None) -> bytes:
        """The root over the first `size` leaves; None: over all."""
        return self._over(0, self.size if size is None else self._within(size))

    def inclusion(self, index: int, size: int) -> tuple[bytes, ...]:
        """The path from a leaf to the root over the first `size` leaves, its sibling first."""
        assert 0 <= index < self._within(size), "a leaf of that tree"
        path: list[bytes] = []
        start, end = 0, size
        while end - start > 1:
            middle = start + _split(end - start)
            if index < middle:
                path.append(self._over(middle, end))
                end = middle
            else:
                path.append(self._over(start, middle))
                start = middle
        return tuple(reversed(path))

    def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        """The proof that the tree of `new` leaves begins with that of `old`; empty if they are equal or `old`
        is 0.
        """
        assert 0 <= old <= self._within(new), "an earlier tree"
        if old in (0, new):
            return ()
        path: list[bytes] = []
        start, end, is_whole = 0, new, True
        while old != end:
            middle = start + _split(end - start)
            if old <= middle:
                path.append(self._over(middle, end))
                end = middle
            else:
                path.append(self._over(start, middle))
                start, is_whole = middle, False
        if not is_whole:
            path.append(self._over(start, end))
        return tuple(reversed(path))

    def _within(self, size: int) -> int:
        assert 0 <= size <= self.size, "no more leaves than there are"
        return size

    def _over(self, start: int, end: int) -> bytes:
        size = end - start
        if not size:
            return EMPTY_ROOT
        if size & (size - 1) == 0:
            level = size.bit_length() - 1
            return self._levels[level][start >> level]
        middle = start + _split(size)
        return node_hash(self._over(start, middle), self._over(middle, end))


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def root_of_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that a path leads to from a leaf; None if the path does not fit a tree of that size."""
    if not 0 <= index < size or any(len(step) != HASH_BYTES for step in (leaf, *path)):
        return None
    place, last, carried = index, size - 1, leaf
    for step in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            carried = node_hash(step, carried)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            carried = node_hash(carried, step)
        place, last = place >> 1, last >> 1
    return carried if last == 0 else None


def is_consistent(old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether a path proves that the tree with the new root begins with that of the old.

    A tree without leaves needs no proof, but only `EMPTY_ROOT` is its root.
    """
    if not 0 <= old <= new or any(len(step) != HASH_BYTES for step in path):
        return False
    if old == 0:
        return not path and old_root == EMPTY_ROOT and (new > 0 or new_root == EMPTY_ROOT)
    if old == new:
        return not path and old_root == new_root
    steps = list(path)
    if old & (old - 1) == 0:
        steps.insert(0, old_root)
    if not steps:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old_carried = new_carried = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old_carried = node_hash(step, old_carried)
            new_carried = node_hash(step, new_carried)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new_carried = node_hash(new_carried, step)
        place, last = place >> 1, last >> 1
    return last == 0 and (old_carried, new_carried) == (old_root, new_root)
