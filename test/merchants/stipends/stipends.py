"""Stipends: they are queued in a database, acknowledged at once, and paid by one worker behind the door.

`BUG` plants one mistake. Without it, the worker writes down what it is about to ask for, looks for what nobody answered,
and believes the record only.
"""

import http.client
import json
import os
import queue
import sqlite3
import threading
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ENV = os.environ
BUG = ENV.get("BUG", "")
API = ENV["PAYMENTS_BASE_URL"] + "/api/sandbox/v1/send-money"
SURELY_LOST_S = 600

jobs = queue.Queue()
DAY_S = 86_400
told = {"now": 0.0, "token": "", "listed": -DAY_S}


class Unknown(Exception):
    """Nobody answered."""


def database():
    connection = sqlite3.connect(os.path.join(ENV["DATA"], "stipends.db"), isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection


with database() as setup:
    setup.execute("PRAGMA journal_mode = WAL")
    setup.execute(
        "CREATE TABLE IF NOT EXISTS stipend (reference TEXT PRIMARY KEY, student TEXT, phone TEXT, amount INTEGER,"
        " state TEXT, request_id TEXT, asked_at REAL)"
    )


def call(method, url, body=None, token=None):
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, method=method, data=data, headers=headers)
    try:
        try:
            response = urllib.request.urlopen(request, timeout=15)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            return response.status, json.load(response)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unknown from error


def ask(method, url, body=None):
    """The answer; None where there was no token to ask with. What was answered 401 was not done."""
    for _ in range(2):
        if not told["token"]:
            try:
                keys = {"apiKey": ENV["PAYMENTS_KEY"], "apiSecret": ENV["PAYMENTS_SECRET"]}
                status, answer = call("POST", ENV["PAYMENTS_BASE_URL"] + "/api/v1/get-token", keys)
            except Unknown:
                return None
            if status != 200:
                return None
            told["token"] = answer["data"]["access_token"]
        status, answer = call(method, url, body, told["token"])
        if status != 401:
            return status, answer
        told["token"] = ""
    return None


def change(db, reference, **values):
    columns = ", ".join(f"{name} = ?" for name in values)
    db.execute(f"UPDATE stipend SET {columns} WHERE reference = ?", (*values.values(), reference))


def pay(db, row):
    reference = row["reference"]
    if BUG != "writes-after":
        change(db, reference, state="asked", asked_at=told["now"])
    body = {
        "phoneNumber": row["phone"],
        "amount": row["amount"],
        "remarks": "Stipend",
        "occasion": row["student"],
        "referenceId": reference,
        "callbackUrl": f"http://127.0.0.1:{ENV['PORT']}/paid",
    }
    try:
        answer = ask("POST", API, body)
    except Unknown:
        change(db, reference, state="FAILED" if BUG == "no-answer-is-failed" else "asked", asked_at=told["now"])
        return
    if BUG == "writes-after":
        change(db, reference, state="asked", asked_at=told["now"])
    if answer is None:
        change(db, reference, state="due")
    elif answer[0] == 201:
        change(db, reference, state="PENDING", request_id=answer[1]["data"]["requestId"])
    elif answer[0] in (402, 403, 423, 429):
        change(db, reference, state="due")
    elif answer[0] < 500 and look(db, reference) != "found":
        change(db, reference, state="REFUSED")


def look(db, reference):
    row = db.execute("SELECT * FROM stipend WHERE reference = ?", (reference,)).fetchone()
    wanted = {"requestId": row["request_id"] or reference, "companyId": ENV["PAYMENTS_COMPANY"]}
    try:
        answer = ask("GET", f"{API}/single?{urllib.parse.urlencode(wanted)}")
    except Unknown:
        answer = None
    if answer is None or answer[0] not in (200, 404):
        return "absent" if BUG == "outage-is-absence" else "unknown"
    if answer[0] == 404:
        return "absent"
    change(db, reference, state=answer[1]["data"]["status"], request_id=answer[1]["data"]["uuid"])
    return "found"


def again(db, row):
    """Under another name, when the first is surely nowhere."""
    change(db, row["reference"], state="REFUSED")
    db.execute(
        "INSERT INTO stipend (reference, student, phone, amount, state) VALUES (?, ?, ?, ?, 'due')",
        (row["reference"] + "b", row["student"], row["phone"], row["amount"]),
    )
    jobs.put(row["reference"] + "b")


def work(db, reference):
    row = db.execute("SELECT * FROM stipend WHERE reference = ?", (reference,)).fetchone()
    if row is None:
        return
    state = row["state"]
    if state == "due":
        pay(db, row)
    elif state == "asked":
        surely = told["now"] - row["asked_at"] >= SURELY_LOST_S
        if look(db, reference) == "absent" and (surely or BUG == "outage-is-absence"):
            if BUG == "outage-is-absence":
                again(db, row)
            else:
                pay(db, row)
    elif state == "SUCCESS" and BUG == "paid-is-paid":
        return
    elif state in ("SUCCESS", "FAILED") and BUG in ("callback-decides", "no-answer-is-failed"):
        return
    elif state != "REFUSED":
        look(db, reference)


strays = {}
"""Payments that nobody here asked for, by their ids: the service made a second one of a request."""


def read_list(db):
    """Once a day, and after each start."""
    rows = db.execute("SELECT * FROM stipend").fetchall()
    if not rows or told["now"] - told["listed"] < DAY_S:
        return
    try:
        answer = ask("GET", f"{API}/all?{urllib.parse.urlencode({'companyId': ENV['PAYMENTS_COMPANY']})}")
    except Unknown:
        return
    if answer is None or answer[0] != 200:
        return
    known = [row["request_id"] for row in rows]
    for record in answer[1]["data"]:
        for row in rows:
            # Of a stipend without an id it may be the first.
            if record["uuid"] not in known and row["request_id"] and record["occasion"] == row["student"]:
                strays[record["uuid"]] = {**dict(row), "request_id": record["uuid"], "state": record["status"]}
    told["listed"] = told["now"]


def worker():
    db = database()
    while True:
        job = jobs.get()
        try:
            if job is None:
                read_list(db)
            elif isinstance(job, tuple):
                change(db, job[0], state=job[1])
            else:
                work(db, job)
        except Exception as error:  # The next round tries again.
            print("worker:", repr(error), flush=True)


def everything():
    with database() as db:
        return [row["reference"] for row in db.execute("SELECT reference FROM stipend ORDER BY rowid")]


def stipends(body):
    with database() as db:
        known = db.execute("SELECT 1 FROM stipend WHERE student = ?", (body["student"],)).fetchone()
        if known:
            return
        db.execute(
            "INSERT INTO stipend (reference, student, phone, amount, state) VALUES (?, ?, ?, ?, 'due')",
            (f"stipend-{body['student']}", body["student"], body["phone"], body["amount"]),
        )
    jobs.put(f"stipend-{body['student']}")


def paid(body):
    reference = body.get("externalReference") or body.get("referenceId") or body.get("externalRef")
    with database() as db:
        row = db.execute(
            "SELECT reference FROM stipend WHERE reference = ? OR request_id IN (?, ?)",
            (reference, body.get("requestId"), body.get("uuid")),
        ).fetchone()
    if row is None:
        return
    if BUG == "callback-decides":
        jobs.put((row["reference"], body["status"]))
    else:
        jobs.put(row["reference"])


def tick(body):
    told["now"] = datetime.fromisoformat(body["now"]).timestamp()
    for reference in everything():
        jobs.put(reference)
    jobs.put(None)


def reset(_):
    told.update(now=0.0, token="", listed=-DAY_S)
    strays.clear()
    with database() as db:
        db.execute("DELETE FROM stipend")


def books():
    with database() as db:
        return [
            {
                "reference": row["reference"],
                "requestId": row["request_id"],
                "kind": "send-money",
                "amount": row["amount"],
                "currency": "KES",
                "status": {"asked": "PENDING"}.get(row["state"], row["state"]),
            }
            for row in [
                *db.execute("SELECT * FROM stipend WHERE state != 'due' OR request_id IS NOT NULL"),
                *strays.values(),
            ]
        ]


POSTS = {"/stipends": stipends, "/paid": paid, "/tick": tick, "/reset": reset}


class Door(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200, books() if self.path == "/books" else {"ok": True})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or "null")
        try:
            POSTS[self.path](body)
            self.answer(202, {"ok": True})
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


for left in everything():
    jobs.put(left)
threading.Thread(target=worker, daemon=True).start()
Server(("127.0.0.1", int(ENV["PORT"])), Door).serve_forever()
