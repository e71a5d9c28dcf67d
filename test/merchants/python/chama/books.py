"""The book for those who check it: a line for each payment that was asked for, in the service's words."""

from typing import Any

from .book import Book, Payment
from .rails import Recorded

KINDS = {
    "phone": "send-money",
    "till": "till",
    "paybill": "paybill",
    "bank": "bank-payout",
    "stk": "stk",
    "transfer": "bank-collection",
}
STATUSES = {
    "due": "PENDING",
    "asked": "PENDING",
    "pending": "PENDING",
    "paid": "SUCCESS",
    "failed": "FAILED",
    "refused": "REFUSED",
    "returned": "FAILED",
}


def books_of(book: Book, strays: dict[str, tuple[Payment, Recorded]]) -> list[dict[str, Any]]:
    """What is still to be asked for is no payment yet. What a member saved too much is saved: nothing is to be refunded."""
    second = [
        {
            "reference": asked.reference,
            "requestId": record.id,
            "kind": KINDS[asked.way],
            "amount": record.amount / 100,
            "currency": "KES",
            "status": record.status,
        }
        for asked, record in strays.values()
    ]
    first = [
        {
            "reference": None if payment.way == "transfer" else payment.reference,
            "requestId": payment.request_id,
            "kind": KINDS[payment.way],
            "amount": payment.amount / 100,
            "currency": "KES",
            "status": STATUSES[payment.state],
        }
        for payment in book.everything()
        if payment.state != "due" or payment.request_id
    ]
    return first + second
