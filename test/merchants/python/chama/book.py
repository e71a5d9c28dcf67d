"""What Chama knows, in one file. A payment is written down before the service is asked for it."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

SCHEMA = """
CREATE TABLE IF NOT EXISTS members (number TEXT PRIMARY KEY, name TEXT NOT NULL, phone TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS payments (
  reference TEXT PRIMARY KEY, purpose TEXT NOT NULL, way TEXT NOT NULL, amount INTEGER NOT NULL, details TEXT NOT NULL,
  state TEXT NOT NULL, created_at REAL NOT NULL, not_before REAL NOT NULL, asked_at REAL, fee INTEGER NOT NULL,
  request_id TEXT UNIQUE, note TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS payments_by_state ON payments (state, not_before);
CREATE TABLE IF NOT EXISTS heard (
  id INTEGER PRIMARY KEY, reference TEXT NOT NULL, body TEXT NOT NULL, looked_into INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, phone TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS tasks (text TEXT PRIMARY KEY, created_at REAL NOT NULL) STRICT;
"""


@dataclass(frozen=True)
class Member:
    number: str
    name: str
    phone: str


@dataclass(frozen=True)
class Payment:
    """One try at moving money. Amounts are cents, times are seconds since 1970."""

    reference: str
    """Our name for it, and the same in every repetition."""
    purpose: str
    """What it is for: a member's number, or a payout's name."""
    way: str
    amount: int
    details: dict[str, str]
    """Whom, or where to: the service's own fields."""
    state: str
    """due: to be asked for. asked: we asked, or were about to, and do not know what became of it. pending: accepted.
    paid, failed: over. refused: never made. returned: was paid, and taken back."""
    created_at: float
    not_before: float
    asked_at: float | None = None
    fee: int = 0
    request_id: str | None = None
    """The service's name for it, once we know."""
    note: str | None = None
    """In words, why it stands where it stands."""


_COLUMNS = ", ".join(field.name for field in fields(Payment))


class Book:
    def __init__(self, file: str) -> None:
        # No waiting for another program's lock: whoever tells us something is told 500, and tells it again.
        self._database = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.executescript(SCHEMA)
        # One connection, which the threads of this program take in turn.
        self._lock = threading.RLock()

    @contextmanager
    def atomically(self) -> Iterator[None]:
        """All of it, or nothing."""
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def add_member(self, name: str, phone: str) -> Member:
        """The next free number, from M101."""
        with self.atomically():
            ((count,),) = self._run("SELECT COUNT(*) FROM members")
            member = Member(f"M{101 + count}", name, phone)
            self._run("INSERT INTO members VALUES (?, ?, ?)", member.number, name, phone)
        return member

    def member(self, number: str) -> Member | None:
        rows = self._run("SELECT number, name, phone FROM members WHERE number = ?", number)
        return Member(*rows[0]) if rows else None

    def savings(self, number: str) -> int:
        """Cents. A sum and not a counter, so that nothing can be counted twice."""
        paid = [payment for payment in self.tries(number) if payment.state == "paid"]
        return sum(payment.amount for payment in paid)

    def add_payment(
        self,
        purpose: str,
        way: str,
        amount: int,
        details: dict[str, str],
        now: float,
        *,
        state: str = "due",
        request_id: str | None = None,
    ) -> Payment:
        """A further try for a purpose. Call it in a transaction that has made sure that one is wanted."""
        reference = f"{purpose}-{len(self.tries(purpose)) + 1}"
        self._run(
            f"INSERT INTO payments ({_COLUMNS}) VALUES ({', '.join('?' * len(fields(Payment)))})",
            *(reference, purpose, way, amount, json.dumps(details), state, now, now, None, 0, request_id, None),
        )
        return self.known(reference)

    def payment(self, reference: str) -> Payment | None:
        found = self._payments("reference = ?", reference)
        return found[0] if found else None

    def known(self, reference: str) -> Payment:
        """One that is there for sure."""
        return self._payments("reference = ?", reference)[0]

    def tries(self, purpose: str) -> list[Payment]:
        """Every try for a purpose, oldest first."""
        return self._payments("purpose = ?", purpose)

    def in_state(self, state: str) -> list[Payment]:
        return self._payments("state = ?", state)

    def due(self, now: float) -> list[Payment]:
        return self._payments("state = 'due' AND not_before <= ?", now)

    def watched(self, since: float) -> list[Payment]:
        """What the service has made, and is open or was not long ago: success can be taken back, and come late."""
        return self._payments("request_id IS NOT NULL AND (state = 'pending' OR created_at >= ?)", since)

    def everything(self) -> list[Payment]:
        return self._payments("TRUE")

    def knows(self, request_id: str) -> bool:
        return bool(self._payments("request_id = ?", request_id))

    def change(self, reference: str, **change: Any) -> None:
        columns = ", ".join(f"{column} = ?" for column in change)
        self._run(f"UPDATE payments SET {columns} WHERE reference = ?", *change.values(), reference)

    def hear(self, reference: str, body: str) -> None:
        self._run("INSERT INTO heard (reference, body) VALUES (?, ?)", reference, body)

    def heard(self) -> list[tuple[int, str]]:
        """What was not looked into yet: its id, and the reference that it is about."""
        return self._run("SELECT id, reference FROM heard WHERE looked_into = 0 ORDER BY id")

    def looked_into(self, id: int) -> None:
        self._run("UPDATE heard SET looked_into = 1 WHERE id = ?", id)

    def add_message(self, phone: str, text: str) -> None:
        """To be sent to a member; sending it is not shown here."""
        self._run("INSERT INTO messages (phone, text) VALUES (?, ?)", phone, text)

    def messages(self, phone: str) -> list[str]:
        return [text for (text,) in self._run("SELECT text FROM messages WHERE phone = ? ORDER BY id", phone)]

    def add_task(self, text: str, now: float) -> None:
        """Something for a person to do; the same is not said twice."""
        self._run("INSERT OR IGNORE INTO tasks VALUES (?, ?)", text, now)

    def tasks(self) -> list[str]:
        return [text for (text,) in self._run("SELECT text FROM tasks ORDER BY created_at, rowid")]

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _payments(self, where: str, *values: Any) -> list[Payment]:
        rows = self._run(f"SELECT {_COLUMNS} FROM payments WHERE {where} ORDER BY created_at, rowid", *values)
        names = [field.name for field in fields(Payment)]
        found = [dict(zip(names, row, strict=True)) for row in rows]
        return [Payment(**{**row, "details": json.loads(row["details"])}) for row in found]

    def _run(self, sql: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._database.execute(sql, values).fetchall()
