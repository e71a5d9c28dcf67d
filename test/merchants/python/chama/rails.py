"""The ways that money goes in and out, and what the service calls their parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .book import Payment

API = "/api/sandbox/v1"


@dataclass(frozen=True)
class Recorded:
    """What a record of the service comes to."""

    id: str
    status: str
    amount: int
    """Cents."""
    fee: int
    """Cents, on top of the amount."""
    reason: str | None
    """Why it failed, where the service says."""
    text: str
    """The text that carries our reference."""


@dataclass(frozen=True)
class Rail:
    """One way. Details are what a payment needs to know beside its amount: whom, or where to."""

    path: str
    """Of the creation."""
    single: str
    all: str
    needs: tuple[str, ...]
    """What a payment's details have to have."""
    texts: Callable[[Payment], dict[str, str]]
    """The reference stands in a text as well, which the lists show."""
    incoming: bool = False

    def body(self, payment: Payment, callback_url: str) -> dict[str, Any]:
        return {
            **payment.details,
            **self.texts(payment),
            "amount": payment.amount // 100 if payment.amount % 100 == 0 else payment.amount / 100,
            "referenceId": payment.reference,
            "callbackUrl": callback_url,
        }


def _remarks(payment: Payment) -> dict[str, str]:
    return {"remarks": payment.reference, "occasion": payment.purpose}


def _prompt(payment: Payment) -> dict[str, str]:
    # At most 12 letters and digits, and at most 13 characters.
    return {"accountReference": payment.purpose, "description": payment.reference}


RAILS: dict[str, Rail] = {
    "phone": Rail(
        f"{API}/send-money", f"{API}/send-money/single", f"{API}/send-money/all", ("phoneNumber",), _remarks
    ),
    "till": Rail(f"{API}/till", f"{API}/till/single", f"{API}/till/all", ("businessNumber",), _remarks),
    "paybill": Rail(
        f"{API}/paybill", f"{API}/paybill/single", f"{API}/paybill/all", ("businessNumber", "accountNumber"), _remarks
    ),
    "bank": Rail(
        f"{API}/bank/payout/new",
        f"{API}/bank/payout/single",
        f"{API}/bank/payout/all",
        ("bankCode", "creditAccountNumber", "beneficiaryName"),
        lambda payment: {"narration": payment.reference},
    ),
    "stk": Rail(f"{API}/stk/new", f"{API}/stk/single", f"{API}/stk/all", ("phoneNumber",), _prompt, incoming=True),
}

PAYOUTS = tuple(way for way, rail in RAILS.items() if not rail.incoming)

TRANSFERS = f"{API}/bank/collection/all"
"""What members paid into the group's bank account, which nobody asks for and the service only lists."""
TRANSFER = "transfer"


def is_incoming(way: str) -> bool:
    return way == TRANSFER or RAILS[way].incoming


def cents(shillings: float | str) -> int:
    return round(float(shillings) * 100)


def record_of(data: dict[str, Any] | list[dict[str, Any]]) -> Recorded:
    """A bank payout is read as a list of one."""
    record = data[0] if isinstance(data, list) else data
    return Recorded(
        id=record["uuid"],
        status=record["status"],
        amount=cents(record["amount"]),
        fee=cents(record.get("transaction_fee") or 0),
        reason=record.get("errorDesc") or record.get("responseDescription"),
        text=record.get("remarks") or record.get("narration") or record.get("description") or "",
    )
