"""Proofs against published values, the recursive definitions of RFC 6962, and forgeries."""

import random
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st
from rfc_6962 import LEAVES, ROOTS, merkle_tree_hash
from tables import every

from tracker.log.chain import EMPTY_ROOT, leaf_hash
from tracker.log.proofs import Tree, is_consistent, root_of_path

HASHES = [leaf_hash(leaf) for leaf in LEAVES]


def path_of(index: int, leaves: list[bytes]) -> list[bytes]:
    """RFC 6962, 2.1.1: PATH(m, D[n]), word for word."""
    if len(leaves) == 1:
        return []
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    if index < split:
        return [*path_of(index, leaves[:split]), merkle_tree_hash(leaves[split:])]
    return [*path_of(index - split, leaves[split:]), merkle_tree_hash(leaves[:split])]


def subproof(old: int, leaves: list[bytes], *, whole: bool) -> list[bytes]:
    """RFC 6962, 2.1.2: SUBPROOF(m, D[n], b), word for word."""
    if old == len(leaves):
        return [] if whole else [merkle_tree_hash(leaves)]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    if old <= split:
        return [*subproof(old, leaves[:split], whole=whole), merkle_tree_hash(leaves[split:])]
    return [*subproof(old - split, leaves[split:], whole=False), merkle_tree_hash(leaves[:split])]


def test_the_published_roots_come_out() -> None:
    tree = Tree(HASHES)
    assert [tree.root(size).hex() for size in range(9)] == ROOTS


def test_every_path_in_the_accumulated_vector_of_the_ietf_draft_comes_out() -> None:
    """Appendix "Subtree Test Vectors" of draft-ietf-plants-merkle-tree-certs: all paths in all subtrees of a
    tree of 130 leaves (byte 0, byte 1, ...), folded into one hash, and the roots of those subtrees in another.
    """
    leaves = [leaf_hash(bytes([value])) for value in range(130)]
    paths, roots = sha256(), sha256()
    for end in range(1, 131):
        for start in range(end):
            width = 1 << (end - start - 1).bit_length()
            if start % width:
                continue
            tree = Tree(leaves[start:end])
            roots.update(f"[{start}, {end}) {tree.root().hex()}\n".encode())
            for index in range(start, end):
                path = tree.inclusion(index - start, end - start)
                steps = "".join(f" {step.hex()}" for step in path)
                paths.update(f"{index} [{start}, {end}){steps}\n".encode())
    assert roots.hexdigest() == "94a95384a8c69acea9b50d035a58285b3a777cb7a724005faa5e1f1e1190007f"
    assert paths.hexdigest() == "ac2a8f989e44d99e399db448050ff5f19757df53cfb716aa81015d3955d8163f"


# Published with the certificate-transparency reference implementation, over its tree of eight leaves.
PUBLISHED_PATHS = {
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
PUBLISHED_CONSISTENCY = {
    (1, 1): [],
    (1, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}


@every(("index", "size"), PUBLISHED_PATHS)
def test_the_published_paths_come_out_and_are_accepted(index: int, size: int) -> None:
    path = Tree(HASHES).inclusion(index, size)
    assert [step.hex() for step in path] == PUBLISHED_PATHS[index, size]
    assert root_of_path(HASHES[index], index, size, path) == bytes.fromhex(ROOTS[size])


@every(("old", "new"), PUBLISHED_CONSISTENCY)
def test_the_published_proofs_of_consistency_come_out_and_are_accepted(old: int, new: int) -> None:
    path = Tree(HASHES).consistency(old, new)
    assert [step.hex() for step in path] == PUBLISHED_CONSISTENCY[old, new]
    assert is_consistent(old, bytes.fromhex(ROOTS[old]), new, bytes.fromhex(ROOTS[new]), path)


def test_every_proof_of_every_tree_up_to_40_leaves_is_the_definitions_and_holds() -> None:
    leaves = [str(number).encode() for number in range(40)]
    tree = Tree([leaf_hash(leaf) for leaf in leaves])
    roots = [merkle_tree_hash(leaves[:size]) for size in range(41)]
    for size in range(1, 41):
        for index in range(size):
            path = tree.inclusion(index, size)
            assert list(path) == path_of(index, leaves[:size])
            assert root_of_path(leaf_hash(leaves[index]), index, size, path) == roots[size]
        for old in range(1, size + 1):
            path = tree.consistency(old, size)
            assert list(path) == subproof(old, leaves[:size], whole=True)
            assert is_consistent(old, roots[old], size, roots[size], path)


def test_from_a_tree_without_leaves_only_its_own_root_and_no_path_hold() -> None:
    root = bytes.fromhex(ROOTS[3])
    assert is_consistent(0, EMPTY_ROOT, 3, root, ())
    assert not is_consistent(0, root, 3, root, ())
    assert not is_consistent(0, EMPTY_ROOT, 3, root, (root,))
    assert not is_consistent(0, EMPTY_ROOT, 0, root, ())


@given(st.integers(1, 70), st.data())
def test_no_altered_path_is_accepted(size: int, data: st.DataObject) -> None:
    tree = Tree([leaf_hash(bytes([number])) for number in range(size)])
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(0, size + 3))
    path, leaf = tree.inclusion(index, size), leaf_hash(bytes([index]))
    if other != index:
        assert root_of_path(leaf, other, size, path) != tree.root()
    assert root_of_path(leaf, index, size, (*path, leaf)) != tree.root()
    if path:
        assert root_of_path(leaf, index, size, path[1:]) != tree.root()
        assert root_of_path(leaf, index, size, path[:-1]) != tree.root()


def test_no_flipped_bit_in_a_proof_is_accepted() -> None:
    """A small share of what `make soak` does a million times."""
    chance = random.Random(6962)
    tree = Tree([leaf_hash(bytes([number])) for number in range(100)])
    for _ in range(1_000):
        new = chance.randint(2, 100)
        old, index = chance.randint(1, new - 1), chance.randrange(new)
        path = list(tree.inclusion(index, new))
        spoil(path, chance)
        assert root_of_path(leaf_hash(bytes([index])), index, new, path) != tree.root(new)
        proof = list(tree.consistency(old, new))
        spoil(proof, chance)
        assert not is_consistent(old, tree.root(old), new, tree.root(new), proof)


def spoil(path: list[bytes], chance: random.Random) -> None:
    """Flip one bit of it."""
    at, bit = chance.randrange(len(path)), chance.randrange(256)
    path[at] = (int.from_bytes(path[at], "big") ^ 1 << bit).to_bytes(32, "big")
