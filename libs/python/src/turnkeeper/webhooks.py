"""Checks that a webhook came from Turnkeeper, unchanged."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Fault = Literal["headers_missing", "too_old_or_new", "signature_invalid", "not_json"]


class WebhookVerificationError(Exception):
    """The request did not come from Turnkeeper, or was changed in transit: answer 401."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> dict[str, Any]:
    """Verifies a webhook in the format `standard` (Standard Webhooks 1.0) and parses it.

    `body`: as received, before any parsing. `secret`: several while a secret is being rotated. Deduplicate by the `id`
    of the message: it can arrive more than once.
    """
    found = _lower(headers)
    message_id, timestamp, signatures = (found.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not message_id or not timestamp or not signatures:
        raise _missing("webhook-id, webhook-timestamp and webhook-signature")
    if not timestamp.isdecimal() or abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError(
            "too_old_or_new", "The time of the message differs too much from this clock."
        )
    signed = f"{message_id}.{timestamp}.".encode() + body
    for each in _secrets(secret):
        try:
            key = base64.b64decode(each.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            raise ValueError("The secret is not one of Standard Webhooks: whsec_ and base64.") from None
        expected = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
        if key and any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" ")):
            return _parsed(body)
    raise _invalid()


def verify_agora_webhook(headers: Mapping[str, str], body: bytes, secret: str | Sequence[str]) -> dict[str, Any]:
    """Verifies a webhook in the format `agora`, or a notification of Agora itself, and parses it.

    Deduplicate by `noticeId`.
    """
    found = _lower(headers)
    given = [
        (digest, found[name].lower().encode())
        for digest, name in (("sha1", "agora-signature"), ("sha256", "agora-signature-v2"))
        if found.get(name)
    ]
    if not given:
        raise _missing("Agora-Signature or Agora-Signature-V2")
    for key in (each.encode() for each in _secrets(secret) if each):
        if all(hmac.compare_digest(hmac.new(key, body, digest).hexdigest().encode(), sign) for digest, sign in given):
            return _parsed(body)
    raise _invalid()


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _secrets(secret: str | Sequence[str]) -> Sequence[str]:
    return [secret] if isinstance(secret, str) else secret


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise WebhookVerificationError("not_json", "The body is signed, but it is not JSON.") from None


def _missing(names: str) -> WebhookVerificationError:
    return WebhookVerificationError("headers_missing", f"The request must have the headers {names}.")


def _invalid() -> WebhookVerificationError:
    return WebhookVerificationError("signature_invalid", "The signature does not match the secret and the body.")
