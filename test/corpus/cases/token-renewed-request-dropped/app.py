"""A nightly job: where a token has ended it fetches a new one, and goes on with the next item."""

from merchant import MENDED, NoAnswer, PATHS, add, ask, body_of, change, clock, line_of, login, once, serve, take, tick


def pay(body):
    if add(body["name"], "send-money", body["phone"], body["amount"]):
        send(body["name"])


def send(name):
    # Mended: after the refresh the same request is made once more.
    if MENDED:
        return ask(name)
    if not clock["token"] and not login():
        return
    line = line_of(name)
    change(name, state="PENDING")
    try:
        status, answer = once("POST", PATHS[line["kind"]], body_of(line))
    except NoAnswer:
        return change(name, state="asked", asked_at=clock["now"])
    if status == 401:
        login()
    else:
        change(name, state="asked", asked_at=clock["now"])
        take(name, status, answer)


serve({"pay": pay}, tick=lambda: tick())
