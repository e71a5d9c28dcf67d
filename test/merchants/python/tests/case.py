"""A Chama and a world of its own for every test, and the clock that both go by."""

import datetime
import tempfile
import unittest
from pathlib import Path
from typing import Any

from chama.book import Payment
from chama.rails import is_incoming
from chama.settings import Settings
from chama.web import App

from .mfano import World, ask


class ChamaTest(unittest.TestCase):
    """Begin with `start`. Whatever happens in a test, at its end the book and the wallet have to agree."""

    def start(self, *, signed: bool = False, pay_timeout: float = 30, **world: Any) -> None:
        self.world = World(**world)
        self.addCleanup(self.world.close)
        self.database = str(Path(self.enterContext(tempfile.TemporaryDirectory())) / "chama.sqlite")
        credentials = self.world.credentials
        self.now = 0.0
        self.settings = Settings(
            base_url=self.world.base_url,
            api_key=credentials["apiKey"],
            api_secret=credentials["apiSecret"],
            company_id=credentials["companyId"],
            callback_secret=self.world.control("GET", "/callbacks/secret")["secret"] if signed else None,
            port=0,
            database=self.database,
            pay_timeout=pay_timeout,
            read_timeout=30,
        )
        self.app = App(self.settings, lambda: self.now)
        self.addCleanup(lambda: self.app.close())
        self.catch_up()
        self.beyond_the_book = self.world.available()
        """Shillings in the wallet that the book does not know of: there before, or put in by hand."""

    def restart(self) -> None:
        """Everything that was not in the book is forgotten."""
        self.app.close()
        self.app = App(self.settings, lambda: self.now)

    def run(self, result: unittest.TestResult | None = None) -> unittest.TestResult | None:
        # Before the cleanups, and only where the test itself was good.
        test = getattr(self, self._testMethodName)

        def audited() -> None:
            test()
            self.audit()

        setattr(self, self._testMethodName, audited)
        return super().run(result)

    def audit(self) -> None:
        balance = 0
        for payment in self.app.book.everything():
            if is_incoming(payment.way):
                balance += payment.amount if payment.state == "paid" else 0
            elif payment.state in ("pending", "paid"):
                balance -= payment.amount + payment.fee
        self.assertEqual(self.world.available(), self.beyond_the_book + balance / 100, "the book and the wallet differ")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Asks Chama's own interface."""
        return ask(method, self.app.url + path, body)

    def join(self, phone: str = "254722111222") -> str:
        """The number of a new member."""
        return self.ask("POST", "/members", {"name": "Neema", "phone": phone})["number"]

    def contribute(self, member: str, amount: float = 500) -> Payment:
        asked = self.ask("POST", f"/members/{member}/contributions", {"amount": amount})
        return self.payment(asked["reference"])

    def member(self, number: str) -> dict[str, Any]:
        return self.ask("GET", f"/members/{number}")

    def pay_out(self, name: str = "loan-7", **payout: Any) -> Payment:
        """A member is to get 1,000 shillings on the phone, unless it is said otherwise; asked for at once."""
        usual = {"name": name, "way": "phone", "amount": 1000, "phoneNumber": "254712345678"}
        asked = self.ask("POST", "/payouts", {**usual, **payout})
        self.app.payments.work()
        return self.payment(asked["reference"])

    def payment(self, reference: str) -> Payment:
        return self.app.book.known(reference)

    def assert_state(self, reference: str, state: str) -> None:
        payment = self.payment(reference)
        self.assertEqual(payment.state, state, f"{reference}: {payment.note}")

    def tasks(self) -> list[str]:
        return self.ask("GET", "/tasks")

    def fund(self, amount: float) -> None:
        """Somebody puts money into the wallet."""
        self.world.fund(amount)
        self.beyond_the_book += amount

    def pass_time(self, by: str) -> None:
        """Time passes in the world, callbacks arrive, and Chama looks into them."""
        self.world.advance(by)
        self.catch_up()

    def settle(self) -> None:
        """Until nothing in the world is due any more."""
        self.world.settle()
        self.catch_up()

    def catch_up(self) -> None:
        """Chama's clock shows what the world's does, and it does what there is to do."""
        world_time = datetime.datetime.fromisoformat(self.world.control("GET", "/clock")["now"])
        self.now = world_time.replace(tzinfo=datetime.UTC).timestamp()
        self.app.payments.work()

    def times_asked(self) -> int:
        """How often the service was asked for payouts and prompts, whatever it answered."""
        return sum(str(request["operation"]).startswith("create") for request in self.world.requests())
