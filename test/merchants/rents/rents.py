"""Rents: pays landlords by paybill and by bank, and finds out how it went by asking: it hears no callbacks.

`BUG` plants one mistake. One file of JSON lines; the last line about a payment is what is known of it.
"""

import http.client
import json
import os
import threading
import urllib.error
import urllib.request
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlencode

BUG = os.environ.get("BUG", "")
URL = os.environ["PAYMENTS_BASE_URL"]
LOG = os.path.join(os.environ["DATA"], "rents.jsonl")
MINUTE, DAY = 60, 86_400
WAYS = {"paybill": "/api/sandbox/v1/paybill", "bank-payout": "/api/sandbox/v1/bank/payout"}


class Book:
    """What was written down, in order; each line replaces what was known."""

    def __init__(self):
        self.rents = {}
        if os.path.exists(LOG):
            with open(LOG) as lines:
                for line in lines:
                    if line.endswith("\n"):
                        rent = json.loads(line)
                        self.rents[rent["reference"]] = rent

    def put(self, rent, **changes):
        rent.update(changes)
        self.rents[rent["reference"]] = rent
        with open(LOG, "a") as lines:
            lines.write(json.dumps(rent) + "\n")


class Service:
    def __init__(self):
        self.token = None

    def send(self, method, path, body=None):
        """Status and body; None where nobody answered."""
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(URL + path, method=method, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=12) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as refusal:
            refusal.read()
            return refusal.code, None
        except (OSError, http.client.HTTPException, ValueError):
            return None

    def login(self):
        self.token = None
        keys = {"apiKey": os.environ["PAYMENTS_KEY"], "apiSecret": os.environ["PAYMENTS_SECRET"]}
        answer = self.send("POST", "/api/v1/get-token", keys)
        if answer and answer[0] == 200:
            self.token = answer[1]["data"]["access_token"]
        return self.token is not None

    def ask(self, method, path, body=None):
        """As `send`, with a token; 401 where there is none to be had."""
        if self.token is None and not self.login():
            return 401, None
        answer = self.send(method, path, body)
        if answer and answer[0] == 401 and BUG != "logs-in-once" and self.login():
            answer = self.send(method, path, body)
        return answer


book, service = Book(), Service()
now = 0.0


def order(rent):
    common = {"amount": rent["amount"], "referenceId": rent["reference"], "callbackUrl": "http://127.0.0.1:9/nobody"}
    if rent["kind"] == "paybill":
        text = {"remarks": rent["reference"], "occasion": "rent"}
        return {**common, **text, "businessNumber": "400200", "accountNumber": rent["to"]}
    to = {"bankCode": "0068", "creditAccountNumber": rent["to"], "beneficiaryName": "Jane Wanjiku"}
    return {**common, **to, "narration": rent["reference"]}


def request(rent):
    book.put(rent, state="asked", asked=now)
    path = WAYS[rent["kind"]] + ("/new" if rent["kind"] == "bank-payout" else "")
    answer = service.ask("POST", path, order(rent))
    if answer is None:
        if BUG == "silence-is-no":
            book.put(rent, state="REFUSED")
        return
    status, body = answer
    if status == 201:
        book.put(rent, state="PENDING", id=body["data"]["requestId"])
    elif status in (401, 402, 403, 423, 429):
        book.put(rent, state="REFUSED" if BUG == "logs-in-once" and status == 401 else "due")
    elif status >= 500:
        if BUG == "new-name-after-5xx":
            book.put(rent, state="REFUSED")
            anew(rent)
    elif look(rent) == "absent":
        book.put(rent, state="REFUSED")


def anew(rent):
    tries = sum(1 for other in book.rents.values() if other["purpose"] == rent["purpose"])
    fresh = {key: rent[key] for key in ("purpose", "kind", "to", "amount")}
    fresh["reference"] = f"{rent['purpose']}-{tries + 1}"
    book.put(fresh, state="due", id=None)


def look(rent):
    query = urlencode({"requestId": rent.get("id") or rent["reference"], "companyId": os.environ["PAYMENTS_COMPANY"]})
    answer = service.ask("GET", f"{WAYS[rent['kind']]}/single?{query}")
    if answer and answer[0] == 404:
        return "absent"
    if answer is None or answer[0] != 200:
        return "unknown"
    record = answer[1]["data"]
    record = record[0] if isinstance(record, list) else record
    if (rent["state"], rent.get("id")) != (record["status"], record["uuid"]):
        since = rent.get("since", now) if rent["state"] == record["status"] else now
        book.put(rent, state=record["status"], id=record["uuid"], since=since)
    return "found"


def work(told):
    global now
    now = datetime.fromisoformat(told["now"]).timestamp()
    for rent in list(book.rents.values()):
        state, age = rent["state"], now - rent.get("asked", now)
        if state == "due":
            request(rent)
        elif state == "asked":
            if look(rent) == "absent" and age >= 10 * MINUTE:
                request(rent)
        elif state == "PENDING" and BUG == "stops-polling" and age > 15 * MINUTE:
            book.put(rent, state="FAILED")
        elif state == "FAILED" and BUG in ("failed-is-failed", "stops-polling"):
            continue
        elif state == "SUCCESS" and BUG == "paid-is-paid":
            continue
        elif state != "REFUSED":
            look(rent)
    read_lists()


strays = {}
"""Payments that nobody here asked for, by their ids: the service made a second one of a request."""
listed_at = -DAY


def read_lists():
    """Once a day, and after each start."""
    global listed_at
    if now - listed_at < DAY:
        return
    for kind, path in WAYS.items():
        ours = [rent for rent in book.rents.values() if rent["kind"] == kind]
        if not ours:
            continue
        answer = service.ask("GET", f"{path}/all?{urlencode({'companyId': os.environ['PAYMENTS_COMPANY']})}")
        if answer is None or answer[0] != 200:
            return
        known = [rent.get("id") for rent in ours]
        for record in answer[1]["data"]:
            for rent in ours:
                # Of a rent without an id it may be the first.
                if record["uuid"] not in known and rent.get("id") and rent["reference"] in record.values():
                    strays[record["uuid"]] = {**rent, "id": record["uuid"], "state": record["status"]}
    listed_at = now


def rents(told):
    for kind, to in (("paybill", told["house"]), ("bank-payout", told["account"])):
        purpose = f"{told['month']}-{kind[:4]}"
        if not any(rent["purpose"] == purpose for rent in book.rents.values()):
            rent = {"reference": f"{purpose}-1", "purpose": purpose, "kind": kind, "to": to, "amount": 9000}
            book.put(rent, state="due", id=None)
            request(rent)


def retry(_):
    """What failed is paid again a day later: until then it may turn out to be paid."""
    last = {rent["purpose"]: rent for rent in book.rents.values()}
    wait = 0 if BUG == "failed-is-failed" else DAY
    for rent in last.values():
        if rent["state"] == "FAILED" and now - rent.get("since", now) >= wait:
            anew(rent)


def reset(_):
    global now, listed_at
    now, listed_at = 0.0, -DAY
    strays.clear()
    service.token = None
    book.rents.clear()
    if os.path.exists(LOG):
        os.remove(LOG)


def books():
    return [
        {
            "reference": rent["reference"],
            "requestId": rent.get("id"),
            "kind": rent["kind"],
            "amount": rent["amount"],
            "currency": "KES",
            "status": "PENDING" if rent["state"] in ("due", "asked") else rent["state"],
        }
        for rent in [*book.rents.values(), *strays.values()]
        if rent["state"] != "due" or rent.get("id")
    ]


lock = threading.Lock()


class Door(BaseHTTPRequestHandler):
    def do_GET(self):
        with lock:
            self.say(200, books() if self.path == "/books" else [])

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or "null")
        try:
            with lock:
                {"/rents": rents, "/retry": retry, "/tick": work, "/reset": reset}[self.path](body)
            self.say(200, {})
        except Exception as error:
            self.say(500, {"error": repr(error)})

    def say(self, status, body):
        data = json.dumps(body).encode()
        head = f"HTTP/1.0 {status} .\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        self.wfile.write(head.encode() + data)

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Door).serve_forever()
