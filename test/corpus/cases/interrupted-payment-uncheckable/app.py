"""A wallet: while a payment is requested it has a temporary id, and what has one is never checked."""

from merchant import MENDED, NoAnswer, add, ask, change, hear, line_of, request, serve, shown, take, lines, tick


def pay(body):
    name = body["name"]
    if not add(name, "send-money", body["phone"], body["amount"]):
        return
    # Mended: a payment is checked by our own reference as long as the service's id is unknown, at a restart too.
    if MENDED:
        return ask(name)
    change(name, state="temp")
    try:
        status, answer = request(line_of(name))
    except NoAnswer:
        return
    take(name, status, answer)
    if status < 300:
        change(name, state="PENDING")


def told(reference, body):
    if MENDED or line_of(reference)["state"] != "temp":
        hear(reference, body)


def books():
    written = lines("state != 'due' OR id IS NOT NULL")
    return [{**shown(line), **({"status": "PENDING"} if line["state"] == "temp" else {})} for line in written]


serve({"pay": pay}, told=told, tick=lambda: tick(lambda line: line["state"] != "temp"), books=books)
