"""What we are told, once, twice, wrongly or while our own house is on fire."""

import sqlite3

from .case import ChamaTest


class CallbacksTest(ChamaTest):
    def test_a_failing_callback_our_own_500s_are_answered_by_another_try(self) -> None:
        self.start()
        member = self.join()
        payment = self.contribute(member)
        # Somebody backs up the database, and nothing can be written down.
        other = sqlite3.connect(self.database, isolation_level=None)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        self.world.advance("16s")
        told = f'payment.referenceId == "{payment.reference}"'
        failing = self.world.wait_for("callback", f"{told} && callback.lastStatus == 500")
        self.assertEqual((failing["state"], failing["attempts"]), ("pending", 2))
        other.execute("ROLLBACK")

        self.settle()

        self.world.wait_for("callback", f'{told} && callback.state == "delivered" && callback.attempts == 3')
        self.assertEqual(self.member(member)["saved"], 500)

    def test_a_duplicate_callback_changes_nothing(self) -> None:
        self.start(scenario="callback-twice-at-once")
        member = self.join()
        self.contribute(member)
        self.settle()
        self.pass_time("1h")
        (callback,) = self.world.control("GET", "/callbacks")["callbacks"]
        self.world.control("POST", f"/callbacks/{callback['id']}/redeliver", {})
        self.catch_up()
        self.assertEqual(self.member(member)["saved"], 500)
        self.assertEqual(len(self.member(member)["messages"]), 1)

    def test_an_unknown_status_and_unknown_fields_the_record_decides(self) -> None:
        self.start(scenario="callback-unknown-status")
        member = self.join()
        payment = self.contribute(member)
        self.settle()
        self.assert_state(payment.reference, "failed")
        self.assertEqual(self.member(member)["saved"], 0)

    def test_a_callback_that_comes_before_the_answer(self) -> None:
        self.start(scenario="callback-before-answer")
        member = self.join()
        self.contribute(member)
        self.settle()
        self.assertEqual(self.member(member)["saved"], 500)

    def test_a_right_signature_is_believed(self) -> None:
        self.start(
            signed=True,
            scenario={
                "name": "signing",
                "description": "Callbacks are signed.",
                "assumptions": {"callback-signature": "standard-webhooks"},
            },
        )
        member = self.join()
        self.contribute(member)
        self.pass_time("10s")
        self.assertEqual(self.member(member)["saved"], 500)

    def test_a_wrong_signature_is_turned_away_and_the_record_believed(self) -> None:
        self.start(signed=True, scenario="callback-forged")
        member = self.join()
        payment = self.contribute(member)
        self.pass_time("10s")
        self.world.wait_for("callback", f'payment.referenceId == "{payment.reference}" && callback.lastStatus == 401')
        self.assert_state(payment.reference, "pending")

        self.app.payments.reconcile()

        self.assert_state(payment.reference, "failed")
        self.assertEqual(self.member(member)["saved"], 0)

    def test_a_callback_about_nothing_of_ours_and_what_is_no_amount(self) -> None:
        self.start()
        with self.assertRaisesRegex(AssertionError, "404.*there is no payment M999-1"):
            self.ask("POST", "/callbacks/M999-1", {"status": "SUCCESS"})
        with self.assertRaisesRegex(AssertionError, "amount: expected shillings with at most two decimals"):
            self.ask("POST", f"/members/{self.join()}/contributions", {"amount": "500"})
