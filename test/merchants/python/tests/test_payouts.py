"""Loans, supplies and rent: money goes out once, whatever happens on the way."""

from .case import ChamaTest


class PayoutsTest(ChamaTest):
    def test_end_to_end_phone_till_paybill_and_bank(self) -> None:
        self.start()
        self.pay_out()
        self.pay_out("tea", way="till", amount=450.5, businessNumber="600123")
        self.pay_out("hospital", way="paybill", amount=800, businessNumber="888880", accountNumber="CH7")
        to = {"bankCode": "0068", "creditAccountNumber": "0187654321", "beneficiaryName": "Umoja Properties"}
        self.assertEqual(self.pay_out("rent", way="bank", amount=25_000, **to).state, "pending")

        self.settle()

        for reference in ("loan-7-1", "tea-1", "hospital-1", "rent-1"):
            self.assert_state(reference, "paid")
        self.assertEqual(self.world.available(), 1_000_000 - 1000 - 450.5 - 800 - 25_000)
        self.assertEqual(self.tasks(), [])

    def test_a_world_for_every_test_the_same_reference_and_no_other_payout(self) -> None:
        # Each of these is a test of its own to mfano: none sees the others' payout.
        for amount in (700, 900):
            with self.subTest(amount=amount):
                self.start()
                self.pay_out(amount=amount)
                self.settle()
                made = self.world.control("GET", "/payments")["payments"]
                self.assertEqual([payment["referenceId"] for payment in made], ["loan-7-1"])
                self.assertEqual(self.world.available(), 1_000_000 - amount)

    def test_frozen_time_a_slow_payout_is_pending_for_as_long_as_the_test_likes(self) -> None:
        self.start()
        payout = self.pay_out(phoneNumber="254712000202")
        self.pass_time("4m59s")
        self.assert_state(payout.reference, "pending")
        self.pass_time("1s")
        self.assert_state(payout.reference, "paid")

    def test_the_same_payout_asked_for_twice_is_one(self) -> None:
        self.start()
        self.assertEqual(self.pay_out().reference, self.pay_out().reference)
        self.settle()
        self.assertEqual(self.times_asked(), 1)

    def test_executed_but_503_is_looked_up_and_not_paid_again(self) -> None:
        self.start(scenario="executed-but-503", parameters={"every": 1})
        payout = self.pay_out()
        self.assertEqual(payout.state, "asked")

        self.pass_time("5s")

        self.assert_state(payout.reference, "paid")
        self.assertEqual(self.times_asked(), 1)

    def test_a_time_out_with_an_unknown_outcome_is_looked_up_and_not_paid_again(self) -> None:
        self.start(scenario="payout-times-out", pay_timeout=0.2)
        payout = self.pay_out()
        self.assertEqual((payout.state, payout.request_id), ("asked", None))

        self.world.wait_for("payment", f'payment.referenceId == "{payout.reference}"')
        self.settle()

        self.assert_state(payout.reference, "paid")
        self.assertEqual(self.times_asked(), 1)

    def test_an_answer_that_breaks_off_is_looked_up_and_those_behind_are_paid_in_time(self) -> None:
        self.start(scenario="answer-breaks-off", parameters={"payout": 1})
        self.pay_out()
        self.pay_out("loan-8")
        self.settle()
        self.assert_state("loan-7-1", "paid")
        self.assert_state("loan-8-1", "paid")
        self.assertEqual(self.times_asked(), 2)

    def test_a_power_cut_before_the_answer_came_is_looked_up_and_not_paid_again(self) -> None:
        lost = {"name": "lost", "on": "send-money", "then": {"after": "2s", "end": "SUCCESS", "answer": "lost"}}
        self.start(
            scenario={
                "name": "lost",
                "description": "Every payout is made, and its answer is lost.",
                "rules": [lost],
            }
        )
        payout = self.pay_out()
        self.restart()
        self.settle()
        self.assert_state(payout.reference, "paid")
        self.assertEqual(self.times_asked(), 1)

    def test_a_503_that_was_none_is_asked_for_again_after_ten_minutes(self) -> None:
        refuse = {"refuse": {"code": "SERVICE_UNAVAILABLE"}}
        self.start(
            scenario={
                "name": "outage",
                "description": "The first payout is refused with 503, and not made.",
                "rules": [{"name": "down", "on": "send-money", "nth": 1, "then": refuse}],
            }
        )
        payout = self.pay_out()
        self.pass_time("9m")
        self.assert_state(payout.reference, "asked")
        self.assertEqual(self.times_asked(), 1)

        self.pass_time("1m")
        self.settle()

        self.assert_state(payout.reference, "paid")
        self.assertEqual(self.times_asked(), 2)

    def test_a_token_expired_in_the_middle_of_a_batch_and_everybody_is_paid_once(self) -> None:
        self.start(
            scenario={
                "name": "revoked",
                "description": "All tokens are worthless when the third payout comes.",
                "faults": [{"name": "gone", "on": "createSendMoney", "nth": 3, "then": {"revokeTokens": True}}],
            }
        )
        names = ["loan-1", "loan-2", "loan-3", "loan-4", "loan-5"]
        for name in names:
            loan = {"name": name, "way": "phone", "amount": 500, "phoneNumber": "254712345678"}
            self.ask("POST", "/payouts", loan)
        self.app.payments.work()
        self.settle()

        for name in names:
            self.assert_state(f"{name}-1", "paid")
        self.assertEqual([refused["operation"] for refused in self.world.requests("status=401")], ["createSendMoney"])
        self.assertEqual(len(self.world.requests("operation=getToken")), 2)

    def test_a_token_is_renewed_before_it_is_too_old(self) -> None:
        self.start()
        self.pay_out()
        self.pass_time("4m45s")
        self.pay_out("loan-8")
        self.settle()
        self.assertEqual(self.world.requests("status=401"), [])
        self.assertEqual(len(self.world.requests("operation=getToken")), 2)

    def test_a_name_mismatch_is_corrected_by_a_person_and_paid(self) -> None:
        self.start(scenario="bank-name-mismatch")
        to = {"bankCode": "0068", "creditAccountNumber": "0123456789", "beneficiaryName": "Jane Kamau"}
        self.pay_out("rent", way="bank", amount=25_000, **to)
        self.settle()
        self.assert_state("rent-1", "failed")
        self.assertEqual(self.tasks(), ["rent failed: Beneficiary name does not match"])

        self.ask("POST", "/payouts/rent/again", {"beneficiaryName": "Jane Wanjiku Mwangi"})
        self.app.payments.work()
        with self.assertRaisesRegex(AssertionError, "409.*must not be paid again"):
            self.ask("POST", "/payouts/rent/again", {})
        self.settle()

        self.assert_state("rent-2", "paid")

    def test_insufficient_funds_wait_until_there_is_money(self) -> None:
        self.start(scenario="insufficient-funds")
        payout = self.pay_out()
        self.assertEqual(payout.state, "due")
        self.assertEqual(self.tasks(), ["Put money into the wallet: loan-7 waits for it."])

        self.fund(5000)
        self.pass_time("15m")
        self.settle()

        self.assert_state(payout.reference, "paid")
        self.assertEqual(self.world.available(), 100 + 5000 - 1000)

    def test_a_late_reversal_is_seen_two_days_later(self) -> None:
        self.start()
        payout = self.pay_out(phoneNumber="254712000409")
        self.pass_time("1h")
        self.assert_state(payout.reference, "paid")

        self.pass_time("3d")

        self.assert_state(payout.reference, "returned")
        self.assertEqual(self.tasks(), ["loan-7: the money was taken back (loan-7-1)."])

    def test_a_lost_callback_is_found_by_reconciliation(self) -> None:
        self.start(scenario="callback-lost")
        payout = self.pay_out()
        self.settle()
        self.assert_state(payout.reference, "pending")
        self.app.payments.reconcile()
        self.assert_state(payout.reference, "paid")

    def test_executed_twice_is_found_by_reconciliation(self) -> None:
        self.start(scenario="executed-twice", parameters={"every": 1})
        self.pay_out()
        self.settle()
        self.app.payments.reconcile()
        self.app.payments.reconcile()
        (task,) = self.tasks()
        self.assertRegex(task, r"of 1,000 shillings \(loan-7-1\)\. Nobody asked for it\.")
        # Until somebody gets it back.
        self.beyond_the_book -= 1000
