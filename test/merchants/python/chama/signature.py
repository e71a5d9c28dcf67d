"""Standard Webhooks: an HMAC over id, time and body, so that a callback is from the service, unaltered and new."""

import base64
import hashlib
import hmac
from collections.abc import Mapping

OLDEST = 300.0
"""What was signed more seconds ago may have been kept by somebody."""


def is_signed(headers: Mapping[str, str], body: bytes, secret: str, now: float) -> bool:
    """Whether a callback is signed with our secret, at about this time. Header names are in lower case."""
    try:
        id, signed_at = headers["webhook-id"], headers["webhook-timestamp"]
        if abs(now - float(signed_at)) > OLDEST:
            return False
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.new(key, f"{id}.{signed_at}.".encode() + body, hashlib.sha256).digest()
        expected = f"v1,{base64.b64encode(digest).decode()}"
        # There are several while a secret is changed for another.
        given = headers["webhook-signature"].split(" ")
        return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)
    except (KeyError, ValueError):
        return False
