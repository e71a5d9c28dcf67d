"""A payroll in one file of plain Python: it pays salaries to phones, and knows of mfano only an address.

What is asked for is written down first. No answer is not a no: it is looked for by its reference, and asked for again
under the same reference once it is surely nowhere. A callback is only a reason to look: the record is what counts.
"""

import http.client
import json
import os
import threading
import urllib.error
import urllib.request
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

PORT = int(os.environ["PORT"])
URL = os.environ["PAYMENTS_BASE_URL"]
COMPANY = os.environ["PAYMENTS_COMPANY"]
BOOK = os.path.join(os.environ["DATA"], "book.json")
SEND = "/api/sandbox/v1/send-money"
PATIENCE_S = 10
SURELY_LOST_S = 600
DAY_S = 86_400
FOR_NOW = (402, 403, 423, 429)

lock = threading.RLock()
now = 0.0
token = ""


class NoAnswer(Exception):
    """Whether anything was done is unknown."""


def load():
    try:
        with open(BOOK) as file:
            return json.load(file)
    except FileNotFoundError:
        return []


def save(book):
    with open(BOOK + ".new", "w") as file:
        json.dump(book, file)
    os.replace(BOOK + ".new", BOOK)


def call(method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(URL + path, method=method, data=data, headers=headers)
    try:
        try:
            response = urllib.request.urlopen(request, timeout=PATIENCE_S)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            return response.status, json.load(response)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoAnswer from error


def login():
    """False where there is no token to be had: nothing was asked for then."""
    global token
    try:
        keys = {"apiKey": os.environ["PAYMENTS_KEY"], "apiSecret": os.environ["PAYMENTS_SECRET"]}
        status, body = call("POST", "/api/v1/get-token", keys)
    except NoAnswer:
        return False
    token = body["data"]["access_token"] if status == 200 else ""
    return status == 200


def ask(method, path, body=None):
    """The service's answer; None where it was not asked. What was answered 401 was not done."""
    for _ in range(2):
        if not token and not login():
            return None
        status, answer = call(method, path, body, {"authorization": f"Bearer {token}"})
        if status != 401:
            return status, answer
        if not login():
            return None
    return None


def pay(book, line):
    line.update(state="asked", asked=now)
    save(book)
    body = {
        "phoneNumber": line["phone"],
        "amount": line["amount"],
        "remarks": line["reference"],
        "occasion": "Salary",
        "referenceId": line["reference"],
        "callbackUrl": f"http://127.0.0.1:{PORT}/callbacks",
    }
    try:
        answer = ask("POST", SEND, body)
    except NoAnswer:
        return
    if answer is None:
        line["state"] = "due"
    elif answer[0] == 201:
        line.update(state="PENDING", requestId=answer[1]["data"]["requestId"])
    elif answer[0] in FOR_NOW:
        line["state"] = "due"
    elif answer[0] < 500 and look(line) != "found":
        line.update(state="REFUSED", since=now)


def look(line):
    """Takes over what the service's record says; a payment is known there by its id and by our reference."""
    query = urlencode({"requestId": line["requestId"] or line["reference"], "companyId": COMPANY})
    try:
        answer = ask("GET", f"{SEND}/single?{query}")
    except NoAnswer:
        answer = None
    if answer is None or answer[0] not in (200, 404):
        return "unknown"
    if answer[0] == 404:
        return "absent"
    record = answer[1]["data"]
    line["requestId"] = record["uuid"]
    if line["state"] != record["status"]:
        line.update(state=record["status"], since=now)
    return "found"


def work():
    book = load()
    for line in book:
        if line["state"] == "due":
            pay(book, line)
        elif line["state"] == "asked":
            if look(line) == "absent" and now - line["asked"] >= SURELY_LOST_S:
                pay(book, line)
        elif line["state"] != "REFUSED":
            look(line)
        save(book)


strays = {}
"""Payments that nobody here asked for, by their ids: the service made a second one of a request."""
listed_at = -DAY_S


def read_list():
    """Once a day, and after each start."""
    global listed_at
    book = load()
    if not book or now - listed_at < DAY_S:
        return
    try:
        answer = ask("GET", f"{SEND}/all?{urlencode({'companyId': COMPANY})}")
    except NoAnswer:
        return
    if answer is None or answer[0] != 200:
        return
    known = [line["requestId"] for line in book]
    for record in answer[1]["data"]:
        for line in book:
            # Of a line without an id it may be the first.
            if record["uuid"] not in known and line["requestId"] and record["remarks"] == line["reference"]:
                strays[record["uuid"]] = {**line, "requestId": record["uuid"], "state": record["status"]}
    listed_at = now


def add(book, purpose, phone, amount):
    tries = [line for line in book if line["purpose"] == purpose]
    line = {
        "reference": f"{purpose}-{len(tries) + 1}",
        "purpose": purpose,
        "phone": phone,
        "amount": amount,
        "state": "due",
        "requestId": None,
    }
    book.append(line)
    return line


def salaries(body):
    book = load()
    if not any(line["purpose"] == body["employee"] for line in book):
        pay(book, add(book, body["employee"], body["phone"], body["amount"]))
        save(book)


def retry(_):
    """Pays again what failed at least a day ago: until then a failure may turn out to be none."""
    book = load()
    last = {line["purpose"]: line for line in book}
    for line in last.values():
        if line["state"] == "FAILED" and now - line["since"] >= DAY_S:
            pay(book, add(book, line["purpose"], line["phone"], line["amount"]))
    save(book)


def tick(body):
    global now
    now = datetime.fromisoformat(body["now"]).timestamp()
    work()
    read_list()


def reset(_):
    global now, token, listed_at
    now, token, listed_at = 0.0, "", -DAY_S
    strays.clear()
    save([])


def callback(_):
    """Taken, and no more: the next round looks at all that is not over, and at what may be taken back."""


def books():
    return [
        {
            "reference": line["reference"],
            "requestId": line["requestId"],
            "kind": "send-money",
            "amount": line["amount"],
            "currency": "KES",
            "status": {"due": "PENDING", "asked": "PENDING"}.get(line["state"], line["state"]),
        }
        for line in [*load(), *strays.values()]
        if line["requestId"] or line["state"] != "due"
    ]


POSTS = {"/salaries": salaries, "/retry": retry, "/tick": tick, "/callbacks": callback, "/reset": reset}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        with lock:
            self.answer(200, books() if self.path == "/books" else {"ok": True})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or "null")
        try:
            with lock:
                POSTS[self.path](body)
            self.answer(200, {"ok": True})
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
    # What comes at once waits here, and is not turned away.
    request_queue_size = 128
    daemon_threads = True


Server(("127.0.0.1", PORT), Handler).serve_forever()
