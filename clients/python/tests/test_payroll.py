import importlib.util
import time
import unittest

from mfano import Mfano, MfanoError, WorldTest, ask


def setUpModule():
    WorldTest.mfano = Mfano.start()
    unittest.addModuleCleanup(WorldTest.mfano.stop)


class Session:
    """The app under test, in short: it keeps its token for as long as that lasts."""

    def __init__(self, payments):
        self._payments = payments
        self._until = 0

    def token(self):
        if time.time() >= self._until:
            keys = {key: self._payments.credentials[key] for key in ("apiKey", "apiSecret")}
            login = ask("POST", f"{self._payments.base_url}/api/v1/get-token", keys)["data"]
            self._token = login["access_token"]
            self._until = time.time() + login["expires_in"]
        return self._token


def pay_salary(payments, phone_number, callback_url):
    """It logs in and pays."""
    token = Session(payments).token()
    return ask(
        "POST",
        f"{payments.base_url}/api/sandbox/v1/send-money",
        {
            "phoneNumber": phone_number,
            "amount": 1000,
            "remarks": "Salary",
            "occasion": "January",
            "callbackUrl": callback_url,
        },
        {"authorization": f"Bearer {token}"},
    )["data"]


class PayrollTest(WorldTest):
    def test_a_salary_arrives_and_we_are_told(self):
        payout = pay_salary(self.world, "254712345678", self.world.inbox("payroll").url)
        self.assertEqual("PENDING", payout["status"])

        self.world.advance("10s")

        told = self.world.wait_for("callback", f'payment.uuid == "{payout["requestId"]}" && callback.state == "delivered"')
        self.assertEqual("SUCCESS", told["body"]["status"])

    def test_a_salary_is_taken_back_two_days_later(self):
        # The number decides what happens: mfano's page on outcomes lists them.
        payout = pay_salary(self.world, "254712000409", self.world.inbox("payroll").url)

        self.world.advance("3d")

        self.world.wait_for("payment", f'payment.uuid == "{payout["requestId"]}" && payment.status == "FAILED"')
        messages = self.world.inbox("payroll").messages()
        self.assertEqual(["SUCCESS", "FAILED"], [message["body"]["status"] for message in messages])

    def test_our_books_agree_with_the_ledger(self):
        payout = pay_salary(self.world, "254712345678", self.world.inbox("payroll").url)
        self.world.advance("10s")
        line = {"requestId": payout["requestId"], "kind": "send-money", "amount": 1000, "currency": "KSH"}
        self.world.reconcile([{**line, "status": "SUCCESS"}])
        with self.assertRaisesRegex(MfanoError, "stale"):
            self.world.reconcile([{**line, "status": "FAILED"}])

    @unittest.skipUnless(importlib.util.find_spec("time_machine"), "needs time-machine")
    def test_a_token_is_kept_while_it_lasts(self):
        session = Session(self.world)
        with self.world.time():
            first = session.token()
            self.world.advance("4m")
            self.assertEqual(first, session.token())
            self.world.advance("2m")
            self.assertNotEqual(first, session.token())


if __name__ == "__main__":
    unittest.main()
