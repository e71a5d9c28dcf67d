"""Gift cards: whatever goes wrong on the way to the merchant's answer is booked as a failed purchase."""

from merchant import ENDED, MENDED, NoAnswer, add, ask, change, line_of, request, serve, take, tick


def pay(body):
    name = body["name"]
    if not add(name, "send-money", body["phone"], body["amount"]):
        return
    # Mended: an ambiguous answer leaves the payment open, and it is looked for.
    if MENDED:
        return ask(name)
    try:
        status, answer = request(line_of(name))
    except NoAnswer:
        status, answer = 0, {}
    if 200 <= status < 300:
        change(name, state="asked")
        take(name, status, answer)
    else:
        change(name, state="FAILED")


def told(reference, body):
    if MENDED or line_of(reference)["state"] not in ENDED:
        tick(lambda line: line["reference"] == reference)


serve({"pay": pay}, told=told, tick=lambda: tick(lambda line: MENDED or line["state"] not in ENDED))
