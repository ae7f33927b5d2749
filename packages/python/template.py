"""A client of Vitrine's two HTTP interfaces, in one file, for Python 3.9 or newer. It needs nothing but the standard library.

    from vitrine import Vitrine

    client = Vitrine("https://vitrine.example.com", key="vt_test_…")
    for item in client.pages("list_items", limit=100):
        print(item["attributes"]["title"])

Made by `npm run client` from the same definitions as the service itself. Don't edit it.
"""

import base64
import binascii
import datetime
import hashlib
import hmac
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__all__ = ["Vitrine", "VitrineError", "verify_webhook"]
__version__ = "@version@"

_AGAIN = (429, 502, 503, 504)
_LONGEST_PAUSE = 30.0


class VitrineError(Exception):
    """The service refused a request, no answer came (status 0), or a webhook isn't genuine.

    `code` never changes its meaning, `detail` is for people, `errors` names each wrong field, and `request_id` finds the
    request in the service's logs.
    """

    def __init__(self, status, code, detail, body=None, retry_after=None):
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.body = body or {}
        self.errors = self.body.get("errors", [])
        self.request_id = self.body.get("request_id")
        self.retry_after = retry_after


def verify_webhook(secret, headers, body, tolerance=300):
    """Gives the event of a webhook's request, or raises VitrineError.

    `secret` is what the webhook's creation showed (whsec_…), `headers` a mapping, `body` the bytes as they came: parsing them
    first breaks the signature. A request that is older or newer than `tolerance` seconds is refused.
    """
    given = {str(name).lower(): str(value) for name, value in headers.items()}
    if isinstance(body, str):
        body = body.encode()
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
        message_id, moment = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split(" ")
        age = abs(time.time() - int(moment))
    except (KeyError, ValueError, binascii.Error):
        raise VitrineError(0, "webhook_unsigned", "The request has no valid signature headers.") from None
    if age > tolerance:
        raise VitrineError(0, "webhook_too_old", "The request is too old, or from the future.")
    signed = hmac.new(key, message_id.encode() + b"." + moment.encode() + b"." + body, hashlib.sha256).digest()
    expected = ("v1," + base64.b64encode(signed).decode()).encode()
    if not any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
        raise VitrineError(0, "webhook_forged", "The signature isn't the webhook's.")
    return json.loads(body)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The service redirects no operation, and a key must not be sent to where somebody else points."""

    def redirect_request(self, *_arguments):
        return None


def _plain(value):
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError("A time needs a zone, such as datetime.now(timezone.utc).")
        return value.isoformat()
    return str(value)


def _query_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return _plain(value)


class Vitrine:
    """The operations of both interfaces, as methods. Those of the public interface need no key.

    Path and query parameters are keyword arguments, a body is a dict. Answers are what the service sent, parsed. Every POST has an
    Idempotency-Key, so that it can be sent again: after a lost connection, 429 and 503 a request is repeated at most `retries` times.
    `extra_query` is a dict of query parameters that a newer service knows and this client doesn't.
    """

    def __init__(self, origin, key=None, timeout=30, retries=2):
        self.origin = origin.rstrip("/")
        self.key = key
        self.timeout = timeout
        self.retries = retries
        self._opener = urllib.request.build_opener(_NoRedirects)

    def pages(self, operation, **query):
        """Yields the records of a list, page after page: client.pages("list_items", limit=100)."""
        while True:
            page = getattr(self, operation)(**query)
            yield from page["results"]
            if not page["has_more"]:
                return
            query["cursor"] = page["cursor"]

    def _call(self, method, path, params, query, body=None, idempotency_key=None, extra_query=None):
        for name, value in params.items():
            if value is None or str(value) in ("", ".", ".."):
                raise ValueError("%r can't be the %s of %s." % (value, name, path))
        query = {**query, **(extra_query or {})}
        path = path.format(**{name: urllib.parse.quote(str(value), safe="") for name, value in params.items()})
        url = self.origin + path
        given = [
            (name, _query_value(each))
            for name, value in query.items()
            if value is not None
            for each in (value if isinstance(value, (list, tuple)) else [value])
        ]
        if given:
            url += "?" + urllib.parse.urlencode(given)
        headers = {"accept": "application/json", "user-agent": "vitrine-python/" + __version__}
        if self.key and not path.startswith("/public/"):
            headers["authorization"] = "Bearer " + self.key
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body, default=_plain).encode()
        if method == "POST":
            headers["idempotency-key"] = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        for tries in range(self.retries + 1):
            try:
                # What the call itself asks to wait is no delay.
                timeout = self.timeout + float(query.get("wait") or 0)
                return self._send(urllib.request.Request(url, data=data, headers=headers, method=method), timeout)
            except VitrineError as error:
                again = error.status == 0 or error.status in _AGAIN or error.code == "idempotency_in_flight"
                again = again and error.code != "purchases_open"  # waiting doesn't help
                pause = error.retry_after if error.retry_after is not None else 2**tries * (0.5 + random.random() / 2)
                if not again or tries == self.retries or pause > _LONGEST_PAUSE:
                    raise
                time.sleep(pause)

    def _send(self, request, timeout):
        try:
            with self._opener.open(request, timeout=timeout) as response:
                content = response.read()
                kind = response.headers.get("content-type", "")
                if response.status == 204:
                    return None
                # A file that isn't text comes as bytes.
                return json.loads(content) if "json" in kind else content.decode() if kind.startswith("text/") else content
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, ValueError) as error:
            raise VitrineError(0, "unreachable", "No answer came: %s" % error) from error

    # @operations@


def _refusal(error):
    text = error.read().decode(errors="replace")
    try:
        body = json.loads(text)
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    wait = error.headers.get("retry-after", "")
    return VitrineError(
        error.code,
        body.get("code", "unknown"),
        body.get("detail", "The service answered %s." % error.code),
        body,
        float(wait) if wait.isdigit() else None,
    )
