import unittest

from mfano import Mfano, WorldTest, ask


def setUpModule():
    WorldTest.mfano = Mfano.start()
    unittest.addModuleCleanup(WorldTest.mfano.stop)


def pay_salary(payments, phone_number, callback_url):
    """The app under test, in short: it logs in and pays."""
    token = ask(
        "POST",
        f"{payments.base_url}/api/v1/get-token",
        {key: payments.credentials[key] for key in ("apiKey", "apiSecret")},
    )["data"]["access_token"]
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
        payout = pay_salary(self.world, "254712345678", self.world.inbox("payroll"))
        self.assertEqual("PENDING", payout["status"])

        self.world.advance("10s")

        told = self.world.wait_for("callback", f'payment.uuid == "{payout["requestId"]}" && callback.state == "delivered"')
        self.assertEqual("SUCCESS", told["body"]["status"])

    def test_a_salary_is_taken_back_two_days_later(self):
        # The number decides what happens: the README's section "Ask for an outcome" lists them.
        payout = pay_salary(self.world, "254712000409", self.world.inbox("payroll"))

        self.world.advance("3d")

        self.world.wait_for("payment", f'payment.uuid == "{payout["requestId"]}" && payment.status == "FAILED"')
        inbox = self.world.control("GET", "/inbox/payroll")
        self.assertEqual(["SUCCESS", "FAILED"], [message["body"]["status"] for message in inbox["messages"]])


if __name__ == "__main__":
    unittest.main()
