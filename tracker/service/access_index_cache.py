"""The access index of a campaign, stored beside the log in blocks, so that a ruling decides again only what
its change can affect.

A block is a cache: its entries are decided on a state that records every read. It is stored with the
snapshots, so a ruling that refills a slot drops the blocks from there on. Blocks of other code versions are
ignored; deleting a block costs only speed. Entries without a block are decided again.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tracker import campaign as campaign_package
from tracker import dice, errors
from tracker import records as basic_records
from tracker import rules as rules_package
from tracker.campaign.evolve import fold
from tracker.campaign.rulings.access_index import AccessBlock, AccessBlockWriter, AccessIndex
from tracker.campaign.rulings.access_tracking import accesses_of
from tracker.campaign.rulings.redecision import Slot, slots_of
from tracker.campaign.state import CampaignState
from tracker.log import database
from tracker.log.sealing import Head
from tracker.records import packed_decoder_of
from tracker.rules import loader
from tracker.service.repository import CampaignRepository

SLOTS_IN_BLOCK: Final = 1_024
"""The slots of a block: fewer are as quickly decided as looked up."""
WORTH_A_BLOCK: Final = 64
"""The number of unindexed slots that is worth a block."""
TELL_EVERY: Final = 64
"""The slots between two reports of progress."""
DIGEST_BYTES: Final = 32

DECIDING: Final = (campaign_package, rules_package, dice, errors, basic_records)
"""The packages and modules that decide, with the books."""


@cache
def fingerprint() -> str:
    """Identifies the deciding code and the books; blocks of others are ignored."""
    digest = hashlib.sha256(f"touched, msgspec {msgspec.__version__}".encode())
    for module in DECIDING:
        assert module.__file__ is not None, "the deciding code lies in files"
        file = Path(module.__file__)
        files = sorted(file.parent.rglob("*")) if file.name == "__init__.py" else [file]
        for path in files:
            if path.suffix in (".py", ".toml"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


def load_access_index(repository: CampaignRepository, campaign: str, first: int = 1) -> AccessIndex:
    """The index from the block of the slot `first` on, up to the first block that is missing or damaged."""
    return AccessIndex(_stored_blocks(repository, campaign, first))


def _stored_blocks(repository: CampaignRepository, campaign: str, first: int = 1) -> list[AccessBlock]:
    blocks: list[AccessBlock] = []
    for last, body in repository.store.snapshots_of(campaign, fingerprint(), from_entry=first):
        block = _decoded(body, campaign, last)
        if block is None or not (block.first == blocks[-1].last + 1 if blocks else block.first <= first):
            break
        blocks.append(block)
    return blocks


def extend_access_index(
    repository: CampaignRepository,
    campaign: str,
    *,
    slots: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Decide the slots after the last whole block again, tracking what each reads, and store them as blocks.

    Returns the number of new blocks; stops if a ruling refills one of the slots meanwhile.
    """
    wanted, made = SLOTS_IN_BLOCK if slots is None else slots, 0
    known, head = _stored_blocks(repository, campaign), repository.store.head(campaign)
    done = known[-1].last if known else 0
    if head.entries - done < min(wanted, WORTH_A_BLOCK):
        return 0
    # A short block was made at the end of an earlier log: replace it with a longer one.
    growing = known.pop() if known and known[-1].last - known[-1].first + 1 < wanted else None
    for block in _blocks(repository, head, known[-1].last + 1 if known else 1, wanted, progress):
        if not _store(repository, head, block, growing):
            break
        made, growing = made + 1, None
    return made


def _blocks(
    repository: CampaignRepository,
    head: Head,
    first: int,
    wanted: int,
    progress: Callable[[int, int], None] | None,
) -> Iterator[AccessBlock]:
    """Blocks of `wanted` slots in all, from one slot on to that head; the last may be shorter."""
    campaign = head.campaign
    base, state = repository.snapshot_before(campaign, first)
    writer = AccessBlockWriter(first)
    for slot in slots_of(repository.log.live(campaign, after_slot=base, as_of_entry=head.entries)):
        if slot.slot >= first:
            _add(writer, slot, state)
            if slot.slot - writer.first + 1 == wanted:
                yield writer.block()
                writer = AccessBlockWriter(slot.slot + 1)
        state = fold(state, slot.domain_events)
        if progress is not None and slot.slot % TELL_EVERY == 0:
            progress(slot.slot, head.entries)
    if writer.last >= writer.first:
        yield writer.block()


def _store(
    repository: CampaignRepository, head: Head, block: AccessBlock, growing: AccessBlock | None
) -> bool:
    """Store a block in place of the shorter one that it extends, unless one of its slots or an earlier slot
    was refilled since that head.
    """
    campaign = head.campaign
    with repository.exclusively(campaign) as store:
        since = store.refilled_since(
            campaign,
            size=head.size,
            through_slot=block.last,
            through_entry=store.head(campaign).entries,
        )
        if any(event.slot != event.entry for event in since):
            return False
        if growing is not None:
            store.thin_snapshots(store.connection, campaign, fingerprint(), [growing.last])
        body = _encoded(block, campaign)
        store.save_snapshot(store.connection, campaign, block.last, fingerprint(), body)
    return True


def access_index_faults(repository: CampaignRepository, campaign: str) -> Iterator[str]:
    """The stored entries that differ from what deciding again gives, in the order of play."""
    with database.shared_transaction(repository.engine):
        head = repository.store.head(campaign)
        kept = repository.store.snapshots_of(campaign, fingerprint())
    waiting: list[AccessBlock] = []
    first = 1
    for last, body in kept:
        block = _decoded(body, campaign, last)
        if block is None or (block.first, block.last) != (first, last):
            yield f"the access index of entries {first} to {last} is damaged"
        else:
            waiting.append(block)
        first = last + 1
    if not waiting:
        return
    state, writer = CampaignState(), AccessBlockWriter(waiting[0].first)
    waiting.reverse()
    for slot in slots_of(repository.log.live(campaign, as_of_entry=head.entries)):
        if not waiting:
            return
        if slot.slot >= waiting[-1].first:
            _add(writer, slot, state)
        if slot.slot == waiting[-1].last:
            block = waiting.pop()
            if not block.same_accesses(writer.block()):
                yield f"the access index of entries {block.first} to {block.last} is wrong"
            writer = AccessBlockWriter(waiting[-1].first if waiting else 0)
        state = fold(state, slot.domain_events)
    for block in reversed(waiting):
        entries = f"{block.first} to {block.last}"
        yield f"the access index of entries {entries} goes beyond the log"


def _add(writer: AccessBlockWriter, slot: Slot, state: CampaignState) -> None:
    is_own = slot.entry == slot.slot
    accesses = accesses_of(state, slot, loader.rulebook)
    writer.add(slot.slot, slot.domain_events, accesses, first_seq=slot.events[0].seq if is_own else 0)


# --- bytes -----------------------------------------------------------------------------------------------


def _encoded(block: AccessBlock, campaign: str) -> bytes:
    encoded = msgspec.msgpack.encode(block)
    return _digest(encoded, campaign, block.last) + zlib.compress(encoded)


def _decoded(body: bytes, campaign: str, last: int) -> AccessBlock | None:
    try:
        encoded = zlib.decompress(body[DIGEST_BYTES:])
    except zlib.error:
        return None
    if body[:DIGEST_BYTES] != _digest(encoded, campaign, last):
        return None
    block: AccessBlock = packed_decoder_of(AccessBlock).decode(encoded)
    return block


def _digest(encoded: bytes, campaign: str, last: int) -> bytes:
    return hashlib.sha256(f"{campaign} {last} ".encode() + encoded).digest()
