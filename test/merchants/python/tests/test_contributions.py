"""Members save, by a prompt on the phone or a transfer into the bank account, and are thanked once."""

from .case import ChamaTest


class ContributionsTest(ChamaTest):
    def test_by_phone(self) -> None:
        self.start()
        member = self.join()
        self.assertEqual(self.contribute(member).state, "pending")
        self.assertEqual(self.member(member)["saved"], 0)

        self.settle()

        self.assertEqual(self.member(member)["saved"], 500)
        thanks = "Thank you for 500 shillings. You have saved 500 shillings."
        self.assertEqual(self.member(member)["messages"], [thanks])

    def test_a_member_who_cancels_is_asked_again_one_prompt_at_a_time(self) -> None:
        self.start()
        member = self.join("254722000499")
        self.contribute(member)
        with self.assertRaisesRegex(AssertionError, "409.*is being asked already"):
            self.contribute(member)
        self.settle()
        self.assert_state(f"{member}-1", "failed")
        self.assertEqual(self.contribute(member, 250).state, "pending")
        self.assertEqual(self.member(member)["saved"], 0)

    def test_by_bank_and_what_names_no_member(self) -> None:
        self.start()
        company = self.world.credentials["companyId"]
        told_at = {"collectionCallbackUrl": f"{self.app.url}/callbacks/bank"}
        self.world.control("PATCH", f"/organisations/{company}", told_at)
        member = self.join()
        self.world.control("POST", "/collections/bank", {"amount": 700, "description": f" {member.lower()} "})
        self.world.control("POST", "/collections/bank", {"amount": 90, "description": "for mother"})

        self.settle()
        self.app.payments.reconcile()

        self.assertEqual(self.member(member)["saved"], 700)
        (task,) = self.tasks()
        self.assertRegex(task, r"Whose are 90 shillings with the slip \w+\? The payer wrote 'for mother'\.")

    def test_a_transfer_that_nobody_told_is_found_by_reconciliation(self) -> None:
        self.start(scenario="bank-collection-untold")
        member = self.join()
        self.world.control("POST", "/collections/bank", {"amount": 700, "description": member})
        self.settle()
        self.assertEqual(self.member(member)["saved"], 0)
        self.app.payments.reconcile()
        self.assertEqual(self.member(member)["saved"], 700)

    def test_savings_that_are_taken_back(self) -> None:
        self.start(scenario="collection-reversed")
        member = self.join()
        self.contribute(member, 2000)
        self.pass_time("1h")
        self.assertEqual(self.member(member)["saved"], 2000)
        self.pass_time("3d")
        self.assertEqual(self.member(member)["saved"], 0)
        self.assertEqual(self.tasks(), [f"{member}: the money was taken back ({member}-1)."])
