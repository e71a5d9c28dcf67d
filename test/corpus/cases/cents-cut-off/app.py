"""Sales orders: a payment confirms its order where both amounts agree in cents, and cents are cut off a float."""

from merchant import MENDED, add, ask, change, line_of, lines, record, serve, tick


def cents(amount):
    # 582.42 * 100 is 58241.99999999999. Mended: it is rounded.
    return round(amount * 100) if MENDED else int(amount * 100)


def pay(body):
    if add(body["name"], "send-money", body["phone"], body["amount"]):
        change(body["name"], note=body["cents"])
        ask(body["name"])


def confirm(line):
    found = record(line)
    if found not in (None, "absent") and cents(float(found["amount"])) == int(line["note"]):
        change(line["reference"], state=found["status"], id=found["uuid"])


def validate():
    tick(lambda line: False)
    for line in lines("id IS NOT NULL AND state != 'REFUSED'"):
        confirm(line)


def told(reference, body):
    if line_of(reference):
        confirm(line_of(reference))


serve({"pay": pay}, told=told, tick=validate)
