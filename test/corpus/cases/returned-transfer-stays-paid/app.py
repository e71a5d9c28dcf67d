"""Transfers to clubs: a transfer that the bank returns later is noted, and keeps the status that it had."""

from merchant import MENDED, add, ask, change, line_of, look, record, serve, tick


def transfer(body):
    if add(body["name"], "bank-payout", body["account"], body["amount"]):
        ask(body["name"])


def map_back(reference):
    line = line_of(reference)
    # Mended: a returned transfer is marked as such, whatever it was before.
    if MENDED or line["state"] != "SUCCESS":
        return look(reference)
    found = record(line)
    if found not in (None, "absent") and found["status"] != line["state"]:
        change(reference, note=f"returned: {found['status']}")


def tick_all():
    tick(lambda line: MENDED or line["state"] != "SUCCESS")


serve({"transfers": transfer}, told=lambda reference, body: line_of(reference) and map_back(reference), tick=tick_all)
