"""How money moves and nothing is paid twice.

A payment is written down, then asked for, then followed to its end. What nobody answered for is looked up before it is
asked for again, under the same reference. A callback is a hint to look: what the service's record says is so, and
looking twice changes nothing.
"""

import threading
from typing import Any, Literal

from .book import Book, Payment
from .rails import RAILS, TRANSFER, TRANSFERS, Recorded, cents, is_incoming, record_of
from .service import Answer, Clock, LoginRefused, NoAnswer, PaymentsService
from .settings import Settings

MINUTE = 60.0
DAY = 24 * 60 * MINUTE

ARRIVES_WITHIN = 10 * MINUTE
"""What the service has not heard of after so long never reached it."""
AGAIN_AFTER = 15 * MINUTE
"""Between two tries at what was refused for now."""
WATCHED_FOR = 4 * DAY
"""Long enough to see a success that is taken back."""

OVER = ("SUCCESS", "FAILED")
"""Any other word, known or not, says that it is not over yet."""

TOO_LITTLE_MONEY = 402
REFUSED_FOR_NOW = (TOO_LITTLE_MONEY, 423, 429)

BANK = "bank"
"""The reference of callbacks about the group's bank account."""


class Payments:
    def __init__(self, book: Book, service: PaymentsService, settings: Settings, now: Clock, public_url: str) -> None:
        self._book = book
        self._service = service
        self._settings = settings
        self._now = now
        self._public_url = public_url
        # One after another: two that look before either has acted would both act.
        self._turn = threading.Lock()
        self.strays: dict[str, tuple[Payment, Recorded]] = {}
        """Second payments of requests of ours, by their ids: the service made them, and nobody here asked."""

    def work(self) -> None:
        """One round: look into what we were told, find what nobody answered for, ask for what is due."""
        with self._turn:
            for id, reference in self._book.heard():
                if self._look_into(reference):
                    self._book.looked_into(id)
            for payment in self._book.in_state("asked"):
                self._find(payment)
            for payment in self._book.due(self._now()):
                self._ask(payment)

    def reconcile(self) -> None:
        """Holds the book against the service's records, both ways: for whatever nobody told us."""
        with self._turn:
            for payment in self._book.watched(self._now() - WATCHED_FOR):
                if payment.way in RAILS:
                    self._look(payment)
            for way in RAILS:
                self._find_strangers(way)
            self._read_bank_account()

    def _ask(self, payment: Payment) -> None:
        reference, rail = payment.reference, RAILS[payment.way]
        # Before it is sent: whoever finds the book after a power cut looks first, and does not send it again.
        self._book.change(reference, state="asked", asked_at=self._now(), note=None)
        try:
            answer = self._service.post(rail.path, rail.body(payment, f"{self._public_url}/callbacks/{reference}"))
        except LoginRefused as error:
            self._later(payment, str(error), MINUTE)
            return
        except NoAnswer:
            self._book.change(reference, note="There was no answer. Looking for it.")
            return
        request_id = request_id_of(answer.body)
        if 400 <= answer.status < 500:
            self._take_refusal(payment, answer)
        elif answer.status == 201 and request_id is not None:
            self._book.change(reference, state="pending", request_id=request_id)
        else:
            # A 5xx says as little about what was done as no answer.
            self._book.change(reference, note=f"The service answered {answer.status}. Looking for it.")

    def _take_refusal(self, payment: Payment, answer: Answer) -> None:
        reason = reason_of(answer.body) or f"The service answered {answer.status}."
        # "Used before" about what we ask for again means that it was made.
        if payment.asked_at is not None and self._look(payment) == "found":
            return
        if not is_incoming(payment.way) and answer.status in REFUSED_FOR_NOW:
            self._later(payment, reason, AGAIN_AFTER if answer.retry_after is None else answer.retry_after)
            if answer.status == TOO_LITTLE_MONEY:
                self._task(f"Put money into the wallet: {payment.purpose} waits for it.")
        else:
            self._book.change(payment.reference, state="refused", note=reason)
            if not is_incoming(payment.way):
                self._task(f"{payment.purpose} was refused: {reason}")

    def _later(self, payment: Payment, note: str, after: float) -> None:
        """Nothing was done, so the same can be asked for again."""
        self._book.change(payment.reference, state="due", note=note, not_before=self._now() + after)

    def _find(self, payment: Payment) -> None:
        """Looks for what nobody answered for. What is not there after a while never arrived."""
        if self._look(payment) != "absent" or self._now() - (payment.asked_at or 0) < ARRIVES_WITHIN:
            return
        # A payee waits for money; a member has put the phone away, and is not startled by a prompt ten minutes late.
        if is_incoming(payment.way):
            self._book.change(payment.reference, state="failed", note="It never arrived.")
        else:
            self._later(payment, "It never arrived.", 0)

    def _look_into(self, reference: str) -> bool:
        """Whether there is nothing more to find out about what we were told."""
        if reference == BANK:
            return self._read_bank_account()
        return self._look(self._book.known(reference)) != "unknown"

    def _look(self, payment: Payment) -> Literal["found", "absent", "unknown"]:
        """Reads the service's record, and takes over what it says."""
        # By the service's id, or by our reference where the answer with the id never came.
        query = {
            "requestId": payment.request_id or payment.reference,
            "companyId": self._settings.company_id,
        }
        answer = self._read(RAILS[payment.way].single, query)
        if answer is not None and answer.status == 200:
            self._learn(payment.reference, record_of(answer.body["data"]))
            return "found"
        return "absent" if answer is not None and answer.status == 404 else "unknown"

    def _read(self, path: str, query: dict[str, str]) -> Answer | None:
        """None where nobody answers: the next round asks again."""
        try:
            return self._service.get(path, query)
        except (NoAnswer, LoginRefused):
            return None

    def _learn(self, reference: str, record: Recorded) -> None:
        """State and consequence change together or not at all, so that however often it is told, it happens once."""
        with self._book.atomically():
            payment = self._book.known(reference)
            state, purpose = payment.state, payment.purpose
            if payment.request_id is None:
                self._book.change(reference, request_id=record.id)
            if record.amount != payment.amount:
                ours, theirs = shillings(payment.amount), shillings(record.amount)
                self._task(f"{reference} is {ours}, and the service says {theirs}.")
            if record.status == "SUCCESS" and state != "paid":
                self._book.change(reference, state="paid", fee=record.fee, note=None)
                self._thank(payment)
            elif record.status == "FAILED" and state == "paid":
                self._book.change(reference, state="returned", note=record.reason)
                self._task(f"{purpose}: the money was taken back ({reference}).")
            elif record.status == "FAILED" and state not in ("failed", "returned"):
                self._book.change(reference, state="failed", note=record.reason)
                if not is_incoming(payment.way):
                    self._task(f"{purpose} failed: {record.reason or 'no reason given'}")
            elif record.status not in OVER and state in ("asked", "due"):
                self._book.change(reference, state="pending", note=None)

    def _thank(self, payment: Payment) -> None:
        member = self._book.member(payment.purpose)
        if member is not None:
            saved = shillings(self._book.savings(member.number))
            self._book.add_message(member.phone, f"Thank you for {shillings(payment.amount)}. You have saved {saved}.")

    def _find_strangers(self, way: str) -> None:
        """Records that are in no book of ours: money that moved, and nobody here asked for."""
        answer = self._read(RAILS[way].all, {"companyId": self._settings.company_id})
        if answer is None or answer.status != 200:
            return
        for record in map(record_of, answer.body["data"]):
            if self._book.knows(record.id):
                continue
            asked = self._book.payment(record.text)
            if asked is not None and asked.request_id is None:
                self._learn(asked.reference, record)
            else:
                # Of a payment without an id it may be the first.
                if asked is not None and asked.request_id is not None:
                    self.strays[record.id] = (asked, record)
                amount = shillings(record.amount)
                self._task(f"The service has {record.id} of {amount} ({record.text}). Nobody asked for it.")

    def _read_bank_account(self) -> bool:
        """Books what is new in the account, once; what names no member waits for somebody who asks for it."""
        answer = self._read(TRANSFERS, {})
        if answer is None or answer.status != 200:
            return False
        for transfer in answer.body["data"]:
            with self._book.atomically():
                if self._book.knows(transfer["uuid"]):
                    continue
                amount, words = cents(transfer["amount"]), transfer["description"]
                member = self._book.member(words.strip().upper())
                purpose = member.number if member is not None else "UNCLAIMED"
                payment = self._book.add_payment(
                    purpose, TRANSFER, amount, {}, self._now(), state="paid", request_id=transfer["uuid"]
                )
                if member is not None:
                    self._thank(payment)
                else:
                    slip = transfer["transactionref"]
                    self._task(f"Whose are {shillings(amount)} with the slip {slip}? The payer wrote {words!r}.")
        return True

    def _task(self, text: str) -> None:
        self._book.add_task(text, self._now())


def shillings(amount: int) -> str:
    return f"{amount / 100:,.2f}".removesuffix(".00") + " shillings"


def request_id_of(body: Any) -> str | None:
    data = body.get("data") if isinstance(body, dict) else None
    return data.get("requestId") if isinstance(data, dict) else None


def reason_of(body: Any) -> str | None:
    """The reason in any of the published forms of an error."""
    if not isinstance(body, dict):
        return None
    error = body.get("error")
    parts = error if isinstance(error, dict) else body
    words = [parts.get("code") or parts.get("errorCode"), parts.get("message"), parts.get("details")]
    return ": ".join(str(word) for word in words if word) or None
