"""Payouts whose callbacks are validated first: the receiver's number has to be one. One that is none is put aside."""

from merchant import MENDED, add, ask, change, hear, serve, tick


def pay(body):
    if add(body["name"], "send-money", body["phone"], body["amount"]):
        ask(body["name"])


def told(reference, body):
    # Mended: a callback is a reason to look, whatever it holds.
    if MENDED or str(body.get("phoneNumber", "0")).isdigit():
        hear(reference, body)
    else:
        change(reference, note="not valid")


serve({"pay": pay}, told=told, tick=lambda: tick(lambda line: MENDED or line["note"] != "not valid"))
