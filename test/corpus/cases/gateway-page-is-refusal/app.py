"""Payouts by a client that reads JSON: an answer that is none is taken for a refusal."""

from merchant import MENDED, NoAnswer, add, ask, change, clock, hear, line_of, request, serve, take, tick


def pay(body):
    name = body["name"]
    if not add(name, "send-money", body["phone"], body["amount"]):
        return
    # Mended: a gateway's page says nothing about the payment, so it is looked for.
    if MENDED:
        return ask(name)
    change(name, state="asked", asked_at=clock["now"])
    try:
        take(name, *request(line_of(name)))
    except NoAnswer as error:
        if isinstance(error.__cause__, ValueError):
            change(name, state="FAILED", note="refused")


def told(reference, body):
    if MENDED or line_of(reference)["note"] != "refused":
        hear(reference, body)


serve({"pay": pay}, told=told, tick=lambda: tick(lambda line: MENDED or line["note"] != "refused"))
