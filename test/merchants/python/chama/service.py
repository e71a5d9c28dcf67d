"""The payments service over HTTP: JSON, a token that renews itself, and a limit to our patience."""

import http.client
import json
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .settings import Settings

RENEW_BEFORE = 30.0
"""A token that has fewer seconds left than this is renewed before it is used."""

Clock = Callable[[], float]
"""Seconds since 1970. Everything asks this clock, so that a test can hand in another."""


class NoAnswer(Exception):
    """Nothing came in time, or the connection broke, or what came was no JSON. Whether anything was done is unknown."""


class LoginRefused(Exception):
    """No token to be had, so nothing was asked for, and nothing done."""


@dataclass(frozen=True)
class Answer:
    """Whatever came back, good or bad: it is for the caller to judge."""

    status: int
    body: Any
    retry_after: float | None
    """Seconds until the service wants to be asked again, where it says so."""


class PaymentsService:
    def __init__(self, settings: Settings, now: Clock) -> None:
        self._settings = settings
        self._now = now
        self._lock = threading.Lock()
        self._token = ""
        self._renew_at = float("-inf")

    def get(self, path: str, query: dict[str, str] | None = None) -> Answer:
        """A question. It can be repeated as often as one likes."""
        return self._with_token("GET", f"{path}?{urllib.parse.urlencode(query or {})}", None)

    def post(self, path: str, body: dict[str, Any]) -> Answer:
        """An order. After NoAnswer, or a status of 500 and above, look before you repeat it."""
        return self._with_token("POST", path, body)

    def _with_token(self, method: str, path: str, body: dict[str, Any] | None) -> Answer:
        """What was answered 401 was not executed, so with a new token the same can be said again: once."""
        token = self._fresh_token()
        answer = self._call(method, path, body, token)
        if answer.status != 401:
            return answer
        return self._call(method, path, body, self._fresh_token(worthless=token))

    def _fresh_token(self, worthless: str | None = None) -> str:
        """One thread logs in, and those who need a token meanwhile wait for the same."""
        with self._lock:
            if self._token == worthless or self._renew_at <= self._now():
                self._login()
            return self._token

    def _login(self) -> None:
        asked_at = self._now()
        credentials = {"apiKey": self._settings.api_key, "apiSecret": self._settings.api_secret}
        try:
            answer = self._call("POST", "/api/v1/get-token", credentials, None)
        except NoAnswer as error:
            raise LoginRefused(str(error)) from error
        if answer.status != 200:
            raise LoginRefused(f"the payments service refused to log us in with {answer.status}")
        self._token = answer.body["data"]["access_token"]
        self._renew_at = asked_at + answer.body["data"]["expires_in"] - RENEW_BEFORE

    def _call(self, method: str, path: str, body: dict[str, Any] | None, token: str | None) -> Answer:
        request = urllib.request.Request(
            self._settings.base_url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {}),
        )
        moves_money = method == "POST" and token is not None
        timeout = self._settings.pay_timeout if moves_money else self._settings.read_timeout
        try:
            try:
                response = urllib.request.urlopen(request, timeout=timeout)
            except urllib.error.HTTPError as refusal:
                response = refusal
            with response:
                retry_after = response.headers.get("retry-after")
                return Answer(response.status, json.load(response), float(retry_after) if retry_after else None)
        # Time-outs and refused connections are OSErrors, broken JSON is a ValueError.
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswer(f"{method} {path}: no answer: {error}") from error
