"""One writer among several, as a process of its own."""

from log_events import ASH_WASTES, draft

from tracker.errors import Stale
from tracker.log.database import open_database
from tracker.log.sealing import seal
from tracker.log.store import EventStore


def main(url: str, writer: int, count: int) -> None:
    """Append so many entries of two events, deciding again whenever another writer was faster."""
    engine = open_database(url, migrate=True)
    store = EventStore(engine)
    for at in range(count):
        number = writer * 1_000_000 + at * 2
        while True:
            head = store.head(ASH_WASTES)
            entry = head.entries + 1
            drafts = [draft(number, entry=entry), draft(number + 1, entry=entry)]
            sealed, new_head = seal(head, drafts)
            try:
                store.append(head, sealed, new_head, key=f"{writer}-{at}", digest="one command")
            except Stale:
                continue
            break
    engine.dispose()
