from __future__ import annotations

import base64
import hmac
import json
from typing import Any

import pytest
from turnkeeper.webhooks import WebhookVerificationError, verify_agora_webhook, verify_webhook

NOW = 1_800_000_000
MESSAGE = {"id": "msg_1", "type": "agent.history", "timestamp": "t", "data": {"name": "Đạt"}}
BODY = json.dumps(MESSAGE).encode()
SECRET = "whsec_" + base64.b64encode(b"a secret of 24 bytes, or more").decode()
OTHER = "whsec_" + base64.b64encode(b"another secret of 24 bytes..").decode()


def headers_of(at: int = NOW, body: bytes = BODY, secret: str = SECRET) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.digest(key, f"msg_1.{at}.".encode() + body, "sha256")).decode()
    return {"Webhook-Id": "msg_1", "webhook-timestamp": str(at), "webhook-signature": f"v1,{signature}"}


def test_the_signature_is_that_of_the_standard() -> None:
    """The example of the specification's reference libraries."""
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    assert verify_webhook(headers, b'{"test": 2432232314}', secret, now=1614265330) == {"test": 2432232314}


@pytest.mark.parametrize("secret", [SECRET, [OTHER, SECRET]])
def test_a_signed_message_is_read(secret: Any) -> None:
    assert verify_webhook(headers_of(), BODY, secret, now=NOW) == MESSAGE


def test_one_of_several_signatures_is_enough() -> None:
    signatures = f"v2,x {headers_of(secret=OTHER)['webhook-signature']} {headers_of()['webhook-signature']}"
    assert verify_webhook({**headers_of(), "webhook-signature": signatures}, BODY, SECRET, now=NOW) == MESSAGE


@pytest.mark.parametrize(
    ("fault", "headers", "body", "secret"),
    [
        ("signature_invalid", headers_of(), BODY.replace(b"1", b"2"), SECRET),
        ("signature_invalid", {**headers_of(), "Webhook-Id": "msg_2"}, BODY, SECRET),
        ("signature_invalid", {**headers_of(), "webhook-signature": "v1,Đ"}, BODY, SECRET),
        ("signature_invalid", headers_of(), BODY, OTHER),
        ("signature_invalid", headers_of(), BODY, []),
        ("signature_invalid", headers_of(secret="whsec_"), BODY, "whsec_"),
        ("headers_missing", {}, BODY, SECRET),
        ("too_old_or_new", headers_of(NOW - 301), BODY, SECRET),
        ("too_old_or_new", headers_of(NOW + 301), BODY, SECRET),
        ("too_old_or_new", {**headers_of(), "webhook-timestamp": "soon"}, BODY, SECRET),
        ("not_json", headers_of(body=b"hello"), b"hello", SECRET),
    ],
)
def test_another_message_is_refused(fault: str, headers: dict[str, str], body: bytes, secret: Any) -> None:
    with pytest.raises(WebhookVerificationError) as raised:
        verify_webhook(headers, body, secret, now=NOW)
    assert raised.value.fault == fault


def test_something_that_is_no_secret_is_named() -> None:
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(headers_of(), BODY, "whsec_%%%", now=NOW)


def agora(digest: str, secret: str = "agora-secret") -> str:
    return hmac.new(secret.encode(), BODY, digest).hexdigest()


BOTH = {"agora-signature": agora("sha1"), "Agora-Signature-V2": agora("sha256")}


@pytest.mark.parametrize(
    "headers", [BOTH, {"Agora-Signature": agora("sha1")}, {"agora-signature-v2": agora("sha256").upper()}]
)
def test_a_notice_of_agora_is_read(headers: dict[str, str]) -> None:
    assert verify_agora_webhook(headers, BODY, ["old", "agora-secret"]) == MESSAGE


@pytest.mark.parametrize(
    ("fault", "headers", "secret"),
    [
        ("headers_missing", {}, "agora-secret"),
        ("signature_invalid", {**BOTH, "agora-signature": agora("sha1", "wrong")}, "agora-secret"),
        ("signature_invalid", {**BOTH, "Agora-Signature-V2": agora("sha256", "wrong")}, "agora-secret"),
        ("signature_invalid", {"agora-signature": "zz"}, "agora-secret"),
        ("signature_invalid", {"agora-signature": agora("sha1", "")}, ""),
    ],
)
def test_another_notice_is_refused(fault: str, headers: dict[str, str], secret: str) -> None:
    with pytest.raises(WebhookVerificationError) as raised:
        verify_agora_webhook(headers, BODY, secret)
    assert raised.value.fault == fault
