"""What the merchants in Python share: a book in SQLite, a client of the service, and a server. `MENDED=1` starts the mended
edition. As long as a case does not say otherwise, a merchant is careful: it writes a payment down before it asks, takes
silence for "nobody knows", looks payments up by reference, and believes only the service's record."""

import http.client
import json
import os
import sqlite3
import threading
import urllib.error
import urllib.request
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

ENV = os.environ
MENDED = ENV.get("MENDED") == "1"
HOME = f"http://127.0.0.1:{ENV['PORT']}"
API = "/api/sandbox/v1"
PATHS = {"send-money": f"{API}/send-money", "stk": f"{API}/stk/new", "bank-payout": f"{API}/bank/payout/new"}
SINGLES = {"send-money": f"{API}/send-money/single", "stk": f"{API}/stk/single", "bank-payout": f"{API}/bank/payout/single"}
LISTS = {kind: path.removesuffix("single") + "all" for kind, path in SINGLES.items()}
DAY_S = 86_400
NOT_NOW = (401, 402, 403, 423, 429)
ENDED = ("SUCCESS", "FAILED", "REFUSED")
SURELY_LOST_S = 600

lock = threading.RLock()
clock = {"now": 0.0, "token": ""}


class NoAnswer(Exception):
    """Whether anything was done is unknown."""


db = sqlite3.connect(os.path.join(ENV["DATA"], "book.db"), isolation_level=None, check_same_thread=False)
db.row_factory = sqlite3.Row
db.execute(
    "CREATE TABLE IF NOT EXISTS line (reference TEXT PRIMARY KEY, kind TEXT, party TEXT, amount REAL, state TEXT,"
    " id TEXT, asked_at REAL, note TEXT)"
)


def lines(where="1", *values):
    with lock:
        return db.execute(f"SELECT * FROM line WHERE {where} ORDER BY rowid", values).fetchall()


def line_of(reference):
    return next(iter(lines("reference = ?", reference)), None)


def change(reference, **values):
    columns = ", ".join(f"{name} = ?" for name in values)
    with lock:
        db.execute(f"UPDATE line SET {columns} WHERE reference = ?", (*values.values(), reference))


def add(reference, kind, party, amount):
    """A new line of the books, due; false where there is one of that reference."""
    with lock:
        try:
            values = (reference, kind, party, amount)
            db.execute("INSERT INTO line VALUES (?, ?, ?, ?, 'due', NULL, 0, NULL)", values)
            return True
        except sqlite3.IntegrityError:
            return False


def once(method, path, body=None):
    """One request. Raises `NoAnswer` where nobody answers."""
    token = clock["token"]
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ENV["PAYMENTS_BASE_URL"] + path, method=method, data=data, headers=headers)
    try:
        try:
            response = urllib.request.urlopen(request, timeout=15)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            return response.status, json.load(response)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoAnswer from error


def login():
    """False where there is no token to be had."""
    clock["token"] = ""
    try:
        keys = {"apiKey": ENV["PAYMENTS_KEY"], "apiSecret": ENV["PAYMENTS_SECRET"]}
        status, answer = once("POST", "/api/v1/get-token", keys)
    except NoAnswer:
        return False
    if status == 200:
        clock["token"] = answer["data"]["access_token"]
    return status == 200


def call(method, path, body=None):
    """With a new token where the last one is no good. What was answered 401 was not done."""
    for _ in range(2):
        if not clock["token"] and not login():
            return 401, {}
        status, answer = once(method, path, body)
        if status != 401:
            return status, answer
        clock["token"] = ""
    return 401, {}


def body_of(line):
    reference = line["reference"]
    told = {"referenceId": reference, "callbackUrl": f"{HOME}/told/{reference}", "amount": line["amount"]}
    if line["kind"] == "bank-payout":
        to = {"bankCode": "0068", "creditAccountNumber": line["party"], "beneficiaryName": "Jane Wanjiku"}
        return {**told, **to, "narration": reference}
    if line["kind"] == "stk":
        words = {"accountReference": reference, "description": reference, "currencyCode": "KSH"}
        return {**told, **words, "phoneNumber": line["party"]}
    return {**told, "phoneNumber": line["party"], "remarks": reference, "occasion": reference}


def request(line):
    """Sends the request for a payment: status and answer. Raises `NoAnswer`."""
    return call("POST", PATHS[line["kind"]], body_of(line))


def record(line):
    """The service's record; "absent", or None where nobody can tell."""
    wanted = {"requestId": line["id"] or line["reference"], "companyId": ENV["PAYMENTS_COMPANY"]}
    try:
        status, answer = call("GET", f"{SINGLES[line['kind']]}?{urlencode(wanted)}")
    except NoAnswer:
        return None
    if status == 404:
        return "absent"
    if status != 200:
        return None
    return answer["data"][0] if isinstance(answer["data"], list) else answer["data"]


def look(reference):
    """Books what the service's record says."""
    found = record(line_of(reference))
    if found in (None, "absent"):
        return found
    change(reference, state=found["status"], id=found["uuid"])
    return "found"


def ask(reference):
    """Asks for a payment that is written down."""
    change(reference, state="asked", asked_at=clock["now"])
    try:
        status, answer = request(line_of(reference))
    except NoAnswer:
        return
    take(reference, status, answer)


def take(reference, status, answer):
    """Books the answer to the request for a payment."""
    if status < 300:
        change(reference, id=answer["data"]["requestId"])
        if line_of(reference)["state"] == "asked":
            change(reference, state="PENDING")
    elif status in NOT_NOW:
        change(reference, state="due")
    elif status < 500 and look(reference) == "absent":
        change(reference, state="REFUSED")


def tick(watched=lambda line: True):
    """Asks for what is due, and looks at the rest; a case says at what of it."""
    for line in lines():
        reference = line["reference"]
        if line["state"] == "due":
            ask(reference)
        elif line["state"] == "asked":
            surely = clock["now"] - line["asked_at"] >= SURELY_LOST_S
            if look(reference) == "absent" and surely:
                ask(reference)
        elif line["state"] != "REFUSED" and watched(line):
            look(reference)


strays = {}
"""Payments that nobody here asked for, by their ids: the service made a second one of a request."""
listed = {"at": -DAY_S}


def read_lists():
    """Once a day, and after each start."""
    if clock["now"] - listed["at"] < DAY_S:
        return
    for kind, path in LISTS.items():
        ours = lines("kind = ?", kind)
        if not ours:
            continue
        try:
            status, answer = call("GET", f"{path}?{urlencode({'companyId': ENV['PAYMENTS_COMPANY']})}")
        except NoAnswer:
            return
        if status != 200:
            return
        for found in answer["data"]:
            if any(line["id"] == found["uuid"] for line in ours):
                continue
            for line in ours:
                # Of a line without an id it may be the first.
                if line["id"] and line["reference"] in found.values():
                    amount, state = float(found["amount"]), found["status"]
                    strays[found["uuid"]] = {**dict(line), "id": found["uuid"], "amount": amount, "state": state}
    listed["at"] = clock["now"]


def hear(reference, body):
    """What becomes of a callback: it is a reason to look."""
    if line_of(reference):
        look(reference)


def shown(line):
    status = "PENDING" if line["state"] in ("asked", "due") else line["state"]
    names = {"reference": line["reference"], "requestId": line["id"], "kind": line["kind"]}
    return {**names, "amount": line["amount"], "currency": "KES", "status": status}


def books():
    return [shown(line) for line in lines("state != 'due' OR id IS NOT NULL")]


def serve(acts, told=hear, tick=tick, books=books, forget=lambda: None):
    """Starts it. `acts`: what is done at a path, in turn. `told`: a callback. `tick`: the periodic work."""
    turn = threading.Lock()

    def work(path, body):
        _, place, *rest = path.split("/")
        if place == "told":
            told(rest[0], body)
        elif place == "tick":
            clock["now"] = datetime.fromisoformat(body["now"]).timestamp()
            with turn:
                tick()
                read_lists()
        elif place == "reset":
            with lock:
                db.execute("DELETE FROM line")
            clock.update(now=0.0, token="")
            listed["at"] = -DAY_S
            strays.clear()
            forget()
        else:
            with turn:
                acts[place](body)

    class Door(BaseHTTPRequestHandler):
        def do_GET(self):
            strayed = [shown(line) for line in strays.values()]
            self.answer(200, books() + strayed if self.path == "/books" else {})

        def do_POST(self):
            try:
                work(self.path, json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or "{}"))
                self.answer(200, {})
            except Exception as error:
                self.answer(500, {"error": repr(error)})

        def answer(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format, *args):
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

    Server(("127.0.0.1", int(ENV["PORT"])), Door).serve_forever()
