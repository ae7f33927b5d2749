"""A client of Vitrine's two HTTP interfaces, in one file, for Python 3.9 or newer. It needs nothing but the standard library.

    from vitrine import Vitrine

    client = Vitrine("https://vitrine.example.com", key="vt_test_…")
    for item in client.pages("list_items", limit=100):
        print(item["attributes"]["title"])

Made by `npm run python-client` from the same definitions as the service itself. Don't edit it.
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
        headers = {"accept": "application/json", "user-agent": "vitrine-python"}
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


    def activate_email_integration(self, *, integration_id, idempotency_key=None, extra_query=None):
        """Activate the organization’s own mail.

        POST /v1/email-integrations/{integration_id}/activate. Needs the permission email_integrations:write.

        Sends a test message with these settings to the calling member. When the mail server accepts it the
        integration is ACTIVE; otherwise it is FAILED and the error contains the server’s answer.
        """
        return self._call(
            "POST",
            "/v1/email-integrations/{integration_id}/activate",
            {"integration_id": integration_id},
            {},
            None,
            idempotency_key,
            extra_query=extra_query,
        )

    def add_perk_codes(self, body, *, perk_id, idempotency_key=None, extra_query=None):
        """Add codes to a perk.

        POST /v1/perks/{perk_id}/codes. Needs the permission items:write.

        Codes that it has already are left out. At most 100,000 in all.

        Body: codes (required).
        """
        return self._call(
            "POST",
            "/v1/perks/{perk_id}/codes",
            {"perk_id": perk_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def cancel_import(self, body=None, *, import_id, idempotency_key=None, extra_query=None):
        """Cancel an import.

        POST /v1/imports/{import_id}/cancel. Needs the permission imports:write.

        Rows that are done stay done; the waiting ones are left out.
        """
        return self._call(
            "POST",
            "/v1/imports/{import_id}/cancel",
            {"import_id": import_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def cancel_listing(self, *, listing_id, extra_query=None):
        """Cancel a listing.

        DELETE /v1/listings/{listing_id}. Needs the permission listings:write.

        It accepts no new purchases, open ones may still be paid until they expire, and its unsold units are
        released. A DRAFT is deleted.
        """
        return self._call(
            "DELETE",
            "/v1/listings/{listing_id}",
            {"listing_id": listing_id},
            {},
            extra_query=extra_query,
        )

    def cancel_transaction(self, body=None, *, transaction_id, idempotency_key=None, extra_query=None):
        """Cancel a transaction.

        POST /v1/transactions/{transaction_id}/cancel. Needs the permission transactions:write.

        A PENDING one is CANCELLED at once and its holds are released. For a SUBMITTED one, an empty
        transaction with the same nonce is sent; its state depends on which of the two is mined.
        """
        return self._call(
            "POST",
            "/v1/transactions/{transaction_id}/cancel",
            {"transaction_id": transaction_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def challenge_wallet(self, body=None, *, eth_address, idempotency_key=None, extra_query=None):
        """Get a text by which a wallet proves that it is here.

        POST /public/v1/wallets/{eth_address}/challenge.

        The wallet signs it as a message (EIP-191; the text has the form of EIP-4361). It moves nothing. It is
        good for ten minutes, for this address.

        Body: network_id.
        """
        return self._call(
            "POST",
            "/public/v1/wallets/{eth_address}/challenge",
            {"eth_address": eth_address},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def change_allow_list(self, body, *, listing_id, idempotency_key=None, extra_query=None):
        """Add to or remove from a listing’s allow list.

        POST /v1/listings/{listing_id}/allow-list. Needs the permission listings:write.

        At most 5000 addresses and 5000 emails per call. Adding an entry that exists, or removing one that
        doesn’t, changes nothing.

        Body: action (required), eth_addresses, email_addresses.
        """
        return self._call(
            "POST",
            "/v1/listings/{listing_id}/allow-list",
            {"listing_id": listing_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def check_recipient(self, *, claim_token, address, extra_query=None):
        """Check an address before redeeming to it.

        GET /public/v1/email-claims/{claim_token}/recipient.

        What a person should know of an address that they typed. Nothing of it refuses a redemption: a
        contract may be a wallet, and `POST /public/v1/email-claims/{claim_token}/redeem` asks it itself
        whether it takes the token.
        """
        return self._call(
            "GET",
            "/public/v1/email-claims/{claim_token}/recipient",
            {"claim_token": claim_token},
            {"address": address},
            extra_query=extra_query,
        )

    def choose_claim_locale(self, body, *, claim_token, extra_query=None):
        """Record the language that a recipient chose.

        PUT /public/v1/email-claims/{claim_token}/locale.

        All further mails of the claim follow it. For pages with a choice of languages; where the view names
        that language already, nothing needs to be sent.

        Body: locale (required).
        """
        return self._call(
            "PUT",
            "/public/v1/email-claims/{claim_token}/locale",
            {"claim_token": claim_token},
            {},
            body,
            extra_query=extra_query,
        )

    def choose_member_locale(self, body, *, extra_query=None):
        """Record the language that a member chose.

        PUT /v1/me/locale.

        All further mails to this person follow it, in each of their organizations. null: they follow the
        organization’s again. With the dashboard’s session only: an API key can’t choose for its member.

        Body: locale (required).
        """
        return self._call("PUT", "/v1/me/locale", {}, {}, body, extra_query=extra_query)

    def choose_purchase_locale(self, body, *, purchase_intent_id, secret=None, extra_query=None):
        """Record the language that a buyer chose.

        PUT /public/v1/purchase-intents/{purchase_intent_id}/locale.

        All further mails of the purchase and of its claims follow it. Where the purchase names that language
        already, nothing needs to be sent.

        Body: locale (required).
        """
        return self._call(
            "PUT",
            "/public/v1/purchase-intents/{purchase_intent_id}/locale",
            {"purchase_intent_id": purchase_intent_id},
            {"secret": secret},
            body,
            extra_query=extra_query,
        )

    def collection_stats(self, *, collection_id, extra_query=None):
        """Count a collection’s attributes and owners.

        GET /public/v1/collections/{collection_id}/stats.

        How many items have each value of each attribute (the 1,000 most frequent values of an attribute).
        """
        return self._call(
            "GET",
            "/public/v1/collections/{collection_id}/stats",
            {"collection_id": collection_id},
            {},
            extra_query=extra_query,
        )

    def contract_metadata(self, *, collection_id, extra_query=None):
        """A collection’s metadata.

        GET /public/v1/metadata/{collection_id}.

        What `contractURI` points to, as marketplaces read it.
        """
        return self._call(
            "GET",
            "/public/v1/metadata/{collection_id}",
            {"collection_id": collection_id},
            {},
            extra_query=extra_query,
        )

    def count_campaign(
        self,
        *,
        campaign_id,
        from_=None,
        to=None,
        interval=None,
        collection_id=None,
        extra_query=None,
    ):
        """A campaign’s funnel.

        GET /v1/analytics/campaigns/{campaign_id}. Needs the permission analytics:read.

        A claim counts, with all that happened to it since, in the interval in which it was created.
        Requesting a PIN or redeeming counts as opening. Intervals are in UTC and weeks begin on Monday.
        Intervals without a claim are included, empty.
        """
        return self._call(
            "GET",
            "/v1/analytics/campaigns/{campaign_id}",
            {"campaign_id": campaign_id},
            {"from": from_, "to": to, "interval": interval, "collection_id": collection_id},
            extra_query=extra_query,
        )

    def count_claims(
        self,
        *,
        from_=None,
        to=None,
        interval=None,
        campaign_id=None,
        collection_id=None,
        extra_query=None,
    ):
        """Email claim figures.

        GET /v1/analytics/claims. Needs the permission analytics:read.

        A claim counts, with all that happened to it since, in the interval in which it was created.
        Requesting a PIN or redeeming counts as opening. Intervals are in UTC and weeks begin on Monday.
        Intervals without a claim are included, empty.
        """
        return self._call(
            "GET",
            "/v1/analytics/claims",
            {},
            {"from": from_, "to": to, "interval": interval, "campaign_id": campaign_id, "collection_id": collection_id},
            extra_query=extra_query,
        )

    def count_sales(
        self,
        *,
        from_=None,
        to=None,
        interval=None,
        listing_id=None,
        collection_id=None,
        mode=None,
        extra_query=None,
    ):
        """Sales figures.

        GET /v1/analytics/sales. Needs the permission purchase_intents:read.

        A purchase counts in the interval in which it was paid, and its refund in the same one. Each currency
        and each mode is counted separately. Intervals are in UTC and weeks begin on Monday. Intervals without
        a sale are included, empty.
        """
        return self._call(
            "GET",
            "/v1/analytics/sales",
            {},
            {"from": from_, "to": to, "interval": interval, "listing_id": listing_id, "collection_id": collection_id, "mode": mode},
            extra_query=extra_query,
        )

    def create_api_key(self, body, *, idempotency_key=None, extra_query=None):
        """Create an API key.

        POST /v1/api-keys. Needs the permission api_keys:write.

        The key itself is in this response only. It has the caller’s permissions unless fewer are requested. A
        key makes none with a permission that it lacks, no LIVE one if it is TEST, and none that expires later
        than itself.

        Body: name (required), permissions, mode, expires_at.
        """
        return self._call("POST", "/v1/api-keys", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_campaign(self, body, *, idempotency_key=None, extra_query=None):
        """Create a marketing campaign.

        POST /v1/marketing-campaigns. Needs the permission campaigns:write.

        Its mails share a sender, templates and a reminder. Listings and email claims refer to it by
        campaign_id.

        Body: name (required), email_from, reminder_days, send_at, locale.
        """
        return self._call(
            "POST",
            "/v1/marketing-campaigns",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def create_collection(self, body, *, idempotency_key=None, extra_query=None):
        """Create a collection.

        POST /v1/collections. Needs the permission collections:write.

        Its name is unique in the organization. With `deployment_request`, its contract is deployed too.

        Body: name (required), description, external_link, image_url, media, default_item_type_id,
        preview_metadata, royalty_info, is_public, editable_metadata, reveal_strategy, deployment_request.
        """
        return self._call("POST", "/v1/collections", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_email_claim(self, body, *, idempotency_key=None, extra_query=None):
        """Send an item to an email address.

        POST /v1/email-claims. Needs the permission email_claims:write.

        Holds the units and mails the link. The item must be locked and its collection deployed. A token in
        custody of our operator (the item’s kept_by) is transferred instead of minted; tx_payer must be SELLER
        then.

        Body: email (required), item_id (required), quantity, tx_payer, campaign_id, locale, expiration.
        """
        return self._call("POST", "/v1/email-claims", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_email_claims(self, body, *, idempotency_key=None, extra_query=None):
        """Send items to many email addresses.

        POST /v1/email-claims/bulk. Needs the permission email_claims:write.

        What POST /v1/email-claims does, for up to 500 claims. Each is made or refused by itself; the answer
        has a verdict for each, in their order. A malformed one refuses the whole request with 400.

        Body: claims (required).
        """
        return self._call(
            "POST",
            "/v1/email-claims/bulk",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def create_email_integration(self, body, *, idempotency_key=None, extra_query=None):
        """Set up the organization’s own mail.

        POST /v1/email-integrations. Needs the permission email_integrations:write.

        MAIL_API is Mailgun’s API, CLOUD_MAIL is Amazon SES over SMTP, CUSTOM_SMTP any mail server. It is
        PENDING, and sends no mail, until `POST /v1/email-integrations/{integration_id}/activate` has sent a
        test message with it.
        """
        return self._call(
            "POST",
            "/v1/email-integrations",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def create_item(self, body, *, idempotency_key=None, extra_query=None):
        """Create an item.

        POST /v1/items. Needs the permission items:write.

        Unlocked, with attributes that are valid against its item type.

        Body: collection_id (required), attributes (required), translations, item_type_id, royalty_info.
        """
        return self._call("POST", "/v1/items", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_item_type(self, body, *, idempotency_key=None, extra_query=None):
        """Create an item type.

        POST /v1/item-types. Needs the permission item_types:write.

        A JSON Schema that attributes must satisfy. `$ref` may refer to the schema itself only.

        Body: name (required), schema (required).
        """
        return self._call("POST", "/v1/item-types", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_items(self, body, *, idempotency_key=None, extra_query=None):
        """Create many items.

        POST /v1/items/bulk. Needs the permission items:write.

        At most 1000, all or nothing. The ids come in the order of the items.

        Body: items (required).
        """
        return self._call("POST", "/v1/items/bulk", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_listing(self, body, *, idempotency_key=None, extra_query=None):
        """Create a listing.

        POST /v1/listings. Needs the permission listings:write.

        Offers one item, or any units of an ERC-721 collection that aren’t minted. Its units are held until
        they are sold or the listing ends; a DRAFT holds none. An item whose token is in custody of our
        operator (kept_by) is transferred instead of minted: not by MINT_VOUCHER, and not with tx_payer BUYER.

        Body: item_id, collection_id, quantity_listed (required), price (required), currency (required),
        payment_providers (required), max_quantity_per_tx, policy, start_time, end_time, campaign_id, status,
        proof_of_work.
        """
        return self._call("POST", "/v1/listings", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_member(self, body, *, idempotency_key=None, extra_query=None):
        """Invite a member.

        POST /v1/members. Needs the permission members:write.

        Mails a sign-in link that works once, within seven days. Nobody can give a role beyond their own; a
        key gives no role with a permission that it lacks, and a TEST key only the role VIEWER. A removed
        person who is invited again is the same member as before.

        Body: email (required), role (required).
        """
        return self._call("POST", "/v1/members", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_mint_requests(self, body=None, *, idempotency_key=None, extra_query=None):
        """Mint items.

        POST /v1/mint-requests. Needs the permission mint_requests:write.

        Choose what to mint by exactly one of item_id, item_ids and collection_id (the first 100 of its
        locked, unminted items; token_ids or token_ranges narrow them down), and the receivers by to_address
        (all) or to_addresses (one for each). An item whose token is in custody of our operator is transferred
        instead (tx_type TRANSFER_TOKEN), if it is named by item_id, item_ids or token_ids.

        Body: item_id, item_ids, collection_id, token_ids, token_ranges, to_address, to_addresses, quantity,
        quantities.
        """
        return self._call(
            "POST",
            "/v1/mint-requests",
            {},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def create_payment_integration(self, body=None, *, idempotency_key=None, extra_query=None):
        """Connect a card account.

        POST /v1/payment-integrations. Needs the permission payments:write.

        Starts onboarding at the card provider and returns its URL. Repeating it while it is PENDING continues
        with the same account.

        Body: mode.
        """
        return self._call(
            "POST",
            "/v1/payment-integrations",
            {},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def create_perk(self, body, *, idempotency_key=None, extra_query=None):
        """Create a perk.

        POST /v1/perks. Needs the permission items:write.

        Name an item, or a collection whose items all come with it, and give one of text, url, file and codes.
        A file has up to 10 MiB, as the part `file` of a form or as base64 in JSON; it has no public address.
        Each code is given once. At most 50 for an item, and 50 for a collection. Single items of a collection
        that isn’t revealed yet can’t have any: it would tell what they are.

        Body: collection_id, item_id, title (required), is_public, text, url, file, codes.
        """
        return self._call("POST", "/v1/perks", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_purchase_intent(self, body, *, secret=None, idempotency_key=None, extra_query=None):
        """Create a purchase intent.

        POST /public/v1/purchase-intents.

        Reserves units of a listing for a buyer. CARD_PROVIDER needs an email or an address (both: the address
        gets the item, the email the receipt), MINT_VOUCHER an address, EMAIL_CLAIM an email, ORGANIZATION and
        BETA_FREE_MINT an address. For an address with an open voucher purchase that one is returned instead
        of a second one, without its secret; another quantity is refused with `purchase_open` and the
        `purchase_intent_id` of the open one. A buyer or client with too many open and unpaid ones is refused
        with `purchases_open`; `open_purchases` says when each of them ends (`expires_at`). Whoever can sign
        with the address may close it or take it over.

        Body: buyer (required), listing_id (required), provider, quantity, origin, locale, proof.
        """
        return self._call(
            "POST",
            "/public/v1/purchase-intents",
            {},
            {"secret": secret},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def create_snapshot(self, body, *, idempotency_key=None, extra_query=None):
        """Take a snapshot of a collection’s holders.

        POST /v1/snapshots. Needs the permission snapshots:write.

        At a block, or at the last block at or before a time. It is READY once that block is confirmed and
        indexed; the block may be in the future.

        Body: name (required), collection_id (required), block_number, timestamp.
        """
        return self._call("POST", "/v1/snapshots", {}, {}, body, idempotency_key, extra_query=extra_query)

    def create_transfer(self, body, *, idempotency_key=None, extra_query=None):
        """Send a token whose holder has signed for it.

        POST /public/v1/transfers.

        The holder signs EIP-712 typed data (`typed_data` of GET /public/v1/transfer-terms) and the
        organization pays the gas. Name the collection by collection_id, or by network_id and
        contract_address. The transfer is simulated first, and refused with `transfer_refused` where it would
        revert. The same request gives the same transfer; another one with the same from_address and nonce is
        refused with `transfer_exists`; once it was sent, the mailbox named first holds, whichever a repeated
        request names. A token is sent once a day, a holder sends three tokens a day, and the organization has
        a daily budget: beyond these the answer is `holder_pays`, and the holder sends it himself. With an
        email, to_address is the operator that `GET /public/v1/transfer-terms` names: it keeps the token for
        whoever proves that mailbox, for 30 days, and then returns it to from_address.

        Body: collection_id, network_id, contract_address, token_id (required), quantity, from_address
        (required), to_address (required), email, nonce (required), deadline (required), signature (required).
        """
        return self._call(
            "POST",
            "/public/v1/transfers",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def create_webhook(self, body, *, idempotency_key=None, extra_query=None):
        """Create a webhook.

        POST /v1/webhooks. Needs the permission webhooks:write.

        From now on each event is posted to the address as `{type, id, organization_id, timestamp, data}`,
        with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks. Any
        2xx within 15 seconds is a success; everything else is retried over 3 days. The secret is in this
        response only.

        Body: name (required), url (required), events.
        """
        return self._call("POST", "/v1/webhooks", {}, {}, body, idempotency_key, extra_query=extra_query)

    def decline_claim(self, body=None, *, claim_token, idempotency_key=None, extra_query=None):
        """Decline a gift.

        POST /public/v1/email-claims/{claim_token}/decline.

        Whoever has the mailbox doesn’t want it: the claim is revoked and its units return to stock, for good.
        It takes the PIN, or a browser that has shown it to `POST /public/v1/email-claims/{claim_token}/pin`.
        What was bought can’t be declined.

        Body: pin.
        """
        return self._call(
            "POST",
            "/public/v1/email-claims/{claim_token}/decline",
            {"claim_token": claim_token},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def delete_campaign(self, *, campaign_id, extra_query=None):
        """Delete a marketing campaign.

        DELETE /v1/marketing-campaigns/{campaign_id}. Needs the permission campaigns:write.

        Its templates are deleted too. Listings and email claims that used it fall back to the organization’s
        templates, or the platform’s. Mails of its gifts that wait for `send_at` leave then all the same, with
        the campaign’s sender and the templates that are in use then; revoke their claims first if they must
        not leave.
        """
        return self._call(
            "DELETE",
            "/v1/marketing-campaigns/{campaign_id}",
            {"campaign_id": campaign_id},
            {},
            extra_query=extra_query,
        )

    def delete_collection(self, *, collection_id, extra_query=None):
        """Delete a collection.

        DELETE /v1/collections/{collection_id}. Needs the permission collections:write.

        Only while it has no items and no contract.
        """
        return self._call(
            "DELETE",
            "/v1/collections/{collection_id}",
            {"collection_id": collection_id},
            {},
            extra_query=extra_query,
        )

    def delete_email_integration(self, *, integration_id, extra_query=None):
        """Delete the organization’s own mail.

        DELETE /v1/email-integrations/{integration_id}. Needs the permission email_integrations:write.

        Waiting mails are sent by the installation’s own server. Addresses that bounced stay suppressed.
        """
        return self._call(
            "DELETE",
            "/v1/email-integrations/{integration_id}",
            {"integration_id": integration_id},
            {},
            extra_query=extra_query,
        )

    def delete_item(self, *, item_id, extra_query=None):
        """Delete an item.

        DELETE /v1/items/{item_id}. Needs the permission items:write.

        Only while the item is unlocked.
        """
        return self._call("DELETE", "/v1/items/{item_id}", {"item_id": item_id}, {}, extra_query=extra_query)

    def delete_item_type(self, *, item_type_id, extra_query=None):
        """Delete an item type.

        DELETE /v1/item-types/{item_type_id}. Needs the permission item_types:write.

        Only while nothing uses it.
        """
        return self._call(
            "DELETE",
            "/v1/item-types/{item_type_id}",
            {"item_type_id": item_type_id},
            {},
            extra_query=extra_query,
        )

    def delete_perk(self, *, perk_id, extra_query=None):
        """Delete a perk.

        DELETE /v1/perks/{perk_id}. Needs the permission items:write.

        Holders see it no more, and who got which of its codes is deleted with it.
        """
        return self._call("DELETE", "/v1/perks/{perk_id}", {"perk_id": perk_id}, {}, extra_query=extra_query)

    def delete_suppression(self, *, suppression_id, extra_query=None):
        """Allow mail to an address again.

        DELETE /v1/suppressions/{suppression_id}. Needs the permission email_integrations:write.
        """
        return self._call(
            "DELETE",
            "/v1/suppressions/{suppression_id}",
            {"suppression_id": suppression_id},
            {},
            extra_query=extra_query,
        )

    def delete_template(self, *, template_type, campaign_id=None, locale=None, extra_query=None):
        """Delete an email template.

        DELETE /v1/email-templates/{template_type}. Needs the permission email_templates:write.

        Deletes all its versions. A campaign falls back to the organization’s template, an organization to the
        platform’s.
        """
        return self._call(
            "DELETE",
            "/v1/email-templates/{template_type}",
            {"template_type": template_type},
            {"campaign_id": campaign_id, "locale": locale},
            extra_query=extra_query,
        )

    def delete_webhook(self, *, webhook_id, extra_query=None):
        """Delete a webhook.

        DELETE /v1/webhooks/{webhook_id}. Needs the permission webhooks:write.

        Its deliveries and their log are deleted too.
        """
        return self._call(
            "DELETE",
            "/v1/webhooks/{webhook_id}",
            {"webhook_id": webhook_id},
            {},
            extra_query=extra_query,
        )

    def disconnect_payment_integration(self, *, payment_integration_id, extra_query=None):
        """Disconnect a card account.

        DELETE /v1/payment-integrations/{payment_integration_id}. Needs the permission payments:write.

        Card payments end at once. Not while a payment is open or a refund under way.
        """
        return self._call(
            "DELETE",
            "/v1/payment-integrations/{payment_integration_id}",
            {"payment_integration_id": payment_integration_id},
            {},
            extra_query=extra_query,
        )

    def download_perk_file(self, *, eth_address, item_id, perk_id, proof=None, extra_query=None):
        """Download the file of a perk.

        GET /public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/file.

        Its bytes as they were uploaded, whatever they are, for saving and never for showing.
        """
        return self._call(
            "GET",
            "/public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/file",
            {"eth_address": eth_address, "item_id": item_id, "perk_id": perk_id},
            {"proof": proof},
            extra_query=extra_query,
        )

    def export_email_claims(
        self,
        *,
        item_id=None,
        collection_id=None,
        campaign_id=None,
        email=None,
        state=None,
        active=None,
        claimed=None,
        search=None,
        from_=None,
        to=None,
        extra_query=None,
    ):
        """All email claims as CSV.

        GET /v1/exports/claims.csv. Needs the permission email_claims:read.

        Oldest first. The links are secret and not included.
        """
        return self._call(
            "GET",
            "/v1/exports/claims.csv",
            {},
            {"item_id": item_id, "collection_id": collection_id, "campaign_id": campaign_id, "email": email, "state": state, "active": active, "claimed": claimed, "search": search, "from": from_, "to": to},
            extra_query=extra_query,
        )

    def export_holders(self, *, collection_id=None, item_id=None, address=None, extra_query=None):
        """Who holds what now, as CSV.

        GET /v1/exports/holders.csv. Needs the permission items:read.

        One line for each item and address that owns units of it on the chain. For a past moment, take a
        snapshot.
        """
        return self._call(
            "GET",
            "/v1/exports/holders.csv",
            {},
            {"collection_id": collection_id, "item_id": item_id, "address": address},
            extra_query=extra_query,
        )

    def export_items(
        self,
        *,
        collection_id=None,
        locked=None,
        token_status=None,
        attribute=None,
        search=None,
        from_=None,
        to=None,
        extra_query=None,
    ):
        """All items as CSV.

        GET /v1/exports/items.csv. Needs the permission items:read.

        Oldest first, with a column for each attribute (attributes.<name>). The file can be imported again. A
        cell that a spreadsheet would read as a formula is prefixed with an apostrophe, here and in all
        exports.
        """
        return self._call(
            "GET",
            "/v1/exports/items.csv",
            {},
            {"collection_id": collection_id, "locked": locked, "token_status": token_status, "attribute": attribute, "search": search, "from": from_, "to": to},
            extra_query=extra_query,
        )

    def export_purchases(
        self,
        *,
        item_id=None,
        collection_id=None,
        listing_id=None,
        status=None,
        email=None,
        eth_address=None,
        fulfillment_status=None,
        fulfillment_method=None,
        payment_provider=None,
        from_=None,
        to=None,
        extra_query=None,
    ):
        """All purchases as CSV.

        GET /v1/exports/purchases.csv. Needs the permission purchase_intents:read.

        Oldest first. Amounts are in whole units of the currency: 19.99.
        """
        return self._call(
            "GET",
            "/v1/exports/purchases.csv",
            {},
            {"item_id": item_id, "collection_id": collection_id, "listing_id": listing_id, "status": status, "email": email, "eth_address": eth_address, "fulfillment_status": fulfillment_status, "fulfillment_method": fulfillment_method, "payment_provider": payment_provider, "from": from_, "to": to},
            extra_query=extra_query,
        )

    def find_wallet_copy(self, body, *, idempotency_key=None, extra_query=None):
        """Find the sealed key that a passkey opens.

        POST /public/v1/wallet-copies.

        For the page that opens a wallet. Only the passkey derives the id, and only it opens the copy.

        Body: copy_id (required).
        """
        return self._call(
            "POST",
            "/public/v1/wallet-copies",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def get_address_challenge(self, *, purchase_intent_id, action=None, extra_query=None):
        """Get a challenge for the address of an open voucher purchase.

        GET /public/v1/purchase-intents/{purchase_intent_id}/challenge.

        Somebody else may have opened the purchase. Whoever signs the challenge with its address may close it
        (DELETE) or take it over. Each challenge is good once, for ten minutes, for that address and listing.
        For any other purchase 404.
        """
        return self._call(
            "GET",
            "/public/v1/purchase-intents/{purchase_intent_id}/challenge",
            {"purchase_intent_id": purchase_intent_id},
            {"action": action},
            extra_query=extra_query,
        )

    def get_admin_purchase_intent(self, *, purchase_intent_id, extra_query=None):
        """Get a purchase intent.

        GET /v1/purchase-intents/{purchase_intent_id}. Needs the permission purchase_intents:read.
        """
        return self._call(
            "GET",
            "/v1/purchase-intents/{purchase_intent_id}",
            {"purchase_intent_id": purchase_intent_id},
            {},
            extra_query=extra_query,
        )

    def get_api_key(self, *, api_key_id, extra_query=None):
        """Get an API key.

        GET /v1/api-keys/{api_key_id}. Needs the permission api_keys:read.
        """
        return self._call(
            "GET",
            "/v1/api-keys/{api_key_id}",
            {"api_key_id": api_key_id},
            {},
            extra_query=extra_query,
        )

    def get_audit_entry(self, *, audit_entry_id, extra_query=None):
        """Get an audit entry.

        GET /v1/audit-entries/{audit_entry_id}. Needs the permission audit:read.

        With all recorded fields, whether they differ or not.
        """
        return self._call(
            "GET",
            "/v1/audit-entries/{audit_entry_id}",
            {"audit_entry_id": audit_entry_id},
            {},
            extra_query=extra_query,
        )

    def get_campaign(self, *, campaign_id, extra_query=None):
        """Get a marketing campaign.

        GET /v1/marketing-campaigns/{campaign_id}. Needs the permission campaigns:read.
        """
        return self._call(
            "GET",
            "/v1/marketing-campaigns/{campaign_id}",
            {"campaign_id": campaign_id},
            {},
            extra_query=extra_query,
        )

    def get_capability(self, *, capability, extra_query=None):
        """The ABI of one capability.

        GET /public/v1/capabilities/{capability}.

        The functions a contract with this capability has. Where ERC-721 and ERC-1155 differ, both forms are
        listed.
        """
        return self._call(
            "GET",
            "/public/v1/capabilities/{capability}",
            {"capability": capability},
            {},
            extra_query=extra_query,
        )

    def get_challenge(self, *, listing_id, provider=None, extra_query=None):
        """Get a proof-of-work challenge for a listing.

        GET /public/v1/listings/{listing_id}/challenge.

        Needed only where a purchase fails with `proof_required`: for listings that require it; and, except
        for a client’s first purchase, while more than half of the listing is in unpaid purchases and unopened
        claims, or when the client has come more often than is usual. A challenge is for this listing and
        client, is good for one purchase, and is harder than the one before.
        """
        return self._call(
            "GET",
            "/public/v1/listings/{listing_id}/challenge",
            {"listing_id": listing_id},
            {"provider": provider},
            extra_query=extra_query,
        )

    def get_claim_view(self, *, claim_token, extra_query=None):
        """Get what a claim token redeems.

        GET /public/v1/email-claims/{claim_token}.

        Changes nothing. Every token ever issued is found; of a replaced one only that fact is shown.
        """
        return self._call(
            "GET",
            "/public/v1/email-claims/{claim_token}",
            {"claim_token": claim_token},
            {},
            extra_query=extra_query,
        )

    def get_collection(self, *, collection_id, extra_query=None):
        """Get a collection.

        GET /v1/collections/{collection_id}. Needs the permission collections:read.
        """
        return self._call(
            "GET",
            "/v1/collections/{collection_id}",
            {"collection_id": collection_id},
            {},
            extra_query=extra_query,
        )

    def get_deployment(self, *, collection_id, extra_query=None):
        """Get the state of a deployment.

        GET /v1/collections/{collection_id}/deployment-request. Needs the permission collections:read.
        """
        return self._call(
            "GET",
            "/v1/collections/{collection_id}/deployment-request",
            {"collection_id": collection_id},
            {},
            extra_query=extra_query,
        )

    def get_eligibility(self, *, listing_id, eth_address=None, email_address=None, extra_query=None):
        """Whether an address or email may buy from a listing.

        GET /public/v1/listings/redemption-eligibility.

        With neither, only the listing’s own state is considered. What makes a purchase of one unit fail makes
        is_eligible false, in every way that the listing can be paid. Only the purchase itself asks the
        network whether an address can receive the item (`address_cannot_receive`), counts this client’s open
        purchases (`rate_limited`) and asks for a proof of work. One client may ask about 20 different emails
        an hour; a further one is refused with `rate_limited`.
        """
        return self._call(
            "GET",
            "/public/v1/listings/redemption-eligibility",
            {},
            {"listing_id": listing_id, "eth_address": eth_address, "email_address": email_address},
            extra_query=extra_query,
        )

    def get_email_claim(self, *, email_claim_id, extra_query=None):
        """Get an email claim.

        GET /v1/email-claims/{email_claim_id}. Needs the permission email_claims:read.
        """
        return self._call(
            "GET",
            "/v1/email-claims/{email_claim_id}",
            {"email_claim_id": email_claim_id},
            {},
            extra_query=extra_query,
        )

    def get_email_integration(self, *, integration_id, extra_query=None):
        """Get an email integration.

        GET /v1/email-integrations/{integration_id}. Needs the permission email_integrations:read.
        """
        return self._call(
            "GET",
            "/v1/email-integrations/{integration_id}",
            {"integration_id": integration_id},
            {},
            extra_query=extra_query,
        )

    def get_email_words(self, *, extra_query=None):
        """Get the words that replace built-in ones.

        GET /v1/email-words. Needs the permission email_templates:read.
        """
        return self._call("GET", "/v1/email-words", {}, {}, extra_query=extra_query)

    def get_import(self, *, import_id, extra_query=None):
        """Get an import.

        GET /v1/imports/{import_id}. Needs the permission imports:read.
        """
        return self._call(
            "GET",
            "/v1/imports/{import_id}",
            {"import_id": import_id},
            {},
            extra_query=extra_query,
        )

    def get_import_result(self, *, import_id, extra_query=None):
        """An import’s outcome as CSV.

        GET /v1/imports/{import_id}/result.csv. Needs the permission imports:read.

        The file’s own columns, then import_line, import_verdict, import_state, import_reasons and
        import_result_id.
        """
        return self._call(
            "GET",
            "/v1/imports/{import_id}/result.csv",
            {"import_id": import_id},
            {},
            extra_query=extra_query,
        )

    def get_item(self, *, item_id, extra_query=None):
        """Get an item.

        GET /v1/items/{item_id}. Needs the permission items:read.
        """
        return self._call("GET", "/v1/items/{item_id}", {"item_id": item_id}, {}, extra_query=extra_query)

    def get_item_type(self, *, item_type_id, extra_query=None):
        """Get an item type.

        GET /v1/item-types/{item_type_id}. Needs the permission item_types:read.
        """
        return self._call(
            "GET",
            "/v1/item-types/{item_type_id}",
            {"item_type_id": item_type_id},
            {},
            extra_query=extra_query,
        )

    def get_listing(self, *, listing_id, extra_query=None):
        """Get a listing.

        GET /v1/listings/{listing_id}. Needs the permission listings:read.
        """
        return self._call(
            "GET",
            "/v1/listings/{listing_id}",
            {"listing_id": listing_id},
            {},
            extra_query=extra_query,
        )

    def get_me(self, *, extra_query=None):
        """Get the caller’s identity.

        GET /v1/me.

        The organization, the member and the permissions behind the key (or the session) of this request.
        """
        return self._call("GET", "/v1/me", {}, {}, extra_query=extra_query)

    def get_media(self, *, media_id, extra_query=None):
        """Get an uploaded file.

        GET /v1/media/{media_id}. Needs the permission media:read.
        """
        return self._call("GET", "/v1/media/{media_id}", {"media_id": media_id}, {}, extra_query=extra_query)

    def get_member(self, *, member_id, extra_query=None):
        """Get a member.

        GET /v1/members/{member_id}. Needs the permission members:read.
        """
        return self._call(
            "GET",
            "/v1/members/{member_id}",
            {"member_id": member_id},
            {},
            extra_query=extra_query,
        )

    def get_mint_request(self, *, transaction_id, extra_query=None):
        """Get a mint request.

        GET /v1/mint-requests/{transaction_id}. Needs the permission mint_requests:read.

        By the id of its transaction (also of an earlier one it was moved from), or by its own id.
        """
        return self._call(
            "GET",
            "/v1/mint-requests/{transaction_id}",
            {"transaction_id": transaction_id},
            {},
            extra_query=extra_query,
        )

    def get_organization(self, *, organization_id, extra_query=None):
        """Get an organization.

        GET /v1/organizations/{organization_id}. Needs the permission organizations:read.
        """
        return self._call(
            "GET",
            "/v1/organizations/{organization_id}",
            {"organization_id": organization_id},
            {},
            extra_query=extra_query,
        )

    def get_perk(self, *, perk_id, extra_query=None):
        """Get a perk.

        GET /v1/perks/{perk_id}. Needs the permission items:read.
        """
        return self._call("GET", "/v1/perks/{perk_id}", {"perk_id": perk_id}, {}, extra_query=extra_query)

    def get_public_collection(self, *, collection_id, extra_query=None):
        """Get a collection.

        GET /public/v1/collections/{collection_id}.
        """
        return self._call(
            "GET",
            "/public/v1/collections/{collection_id}",
            {"collection_id": collection_id},
            {},
            extra_query=extra_query,
        )

    def get_public_item(self, *, item_id, extra_query=None):
        """Get an item.

        GET /public/v1/items/{item_id}.
        """
        return self._call(
            "GET",
            "/public/v1/items/{item_id}",
            {"item_id": item_id},
            {},
            extra_query=extra_query,
        )

    def get_public_listing(self, *, listing_id, extra_query=None):
        """Get a listing.

        GET /public/v1/listings/{listing_id}.
        """
        return self._call(
            "GET",
            "/public/v1/listings/{listing_id}",
            {"listing_id": listing_id},
            {},
            extra_query=extra_query,
        )

    def get_purchase_intent(self, *, purchase_intent_id, secret=None, extra_query=None):
        """Get the state of a purchase.

        GET /public/v1/purchase-intents/{purchase_intent_id}.

        From reservation to delivery. `data` is present as long as the purchase can be paid.
        """
        return self._call(
            "GET",
            "/public/v1/purchase-intents/{purchase_intent_id}",
            {"purchase_intent_id": purchase_intent_id},
            {"secret": secret},
            extra_query=extra_query,
        )

    def get_reveal(self, *, collection_id, extra_query=None):
        """Get the proof of a delayed reveal.

        GET /public/v1/collections/{collection_id}/reveal.

        Before the reveal, the commitment; after it, all that is needed to repeat the shuffle. docs/reveal.md
        says how to verify it. 404 where nothing was ever hidden.
        """
        return self._call(
            "GET",
            "/public/v1/collections/{collection_id}/reveal",
            {"collection_id": collection_id},
            {},
            extra_query=extra_query,
        )

    def get_snapshot(self, *, snapshot_id, extra_query=None):
        """Get a snapshot.

        GET /v1/snapshots/{snapshot_id}. Needs the permission snapshots:read.
        """
        return self._call(
            "GET",
            "/v1/snapshots/{snapshot_id}",
            {"snapshot_id": snapshot_id},
            {},
            extra_query=extra_query,
        )

    def get_snapshot_holders(self, *, snapshot_id, extra_query=None):
        """A snapshot’s holders as CSV.

        GET /v1/snapshots/{snapshot_id}/holders.csv. Needs the permission snapshots:read.

        Two columns, address and quantity, ordered by address.
        """
        return self._call(
            "GET",
            "/v1/snapshots/{snapshot_id}/holders.csv",
            {"snapshot_id": snapshot_id},
            {},
            extra_query=extra_query,
        )

    def get_template(self, *, template_type, campaign_id=None, locale=None, version=None, extra_query=None):
        """Get an email template.

        GET /v1/email-templates/{template_type}. Needs the permission email_templates:read.

        The template in use; with version, an earlier version of the campaign’s (or the organization’s) own
        template.
        """
        return self._call(
            "GET",
            "/v1/email-templates/{template_type}",
            {"template_type": template_type},
            {"campaign_id": campaign_id, "locale": locale, "version": version},
            extra_query=extra_query,
        )

    def get_transaction(self, *, transaction_id, extra_query=None):
        """Get a transaction.

        GET /v1/transactions/{transaction_id}. Needs the permission transactions:read.
        """
        return self._call(
            "GET",
            "/v1/transactions/{transaction_id}",
            {"transaction_id": transaction_id},
            {},
            extra_query=extra_query,
        )

    def get_transfer(self, *, transfer_id, extra_query=None):
        """Get a transfer.

        GET /public/v1/transfers/{transfer_id}.
        """
        return self._call(
            "GET",
            "/public/v1/transfers/{transfer_id}",
            {"transfer_id": transfer_id},
            {},
            extra_query=extra_query,
        )

    def get_transfer_terms(
        self,
        *,
        collection_id,
        token_id,
        from_address,
        to_address=None,
        quantity=None,
        extra_query=None,
    ):
        """How a token can be sent, and what to know of its receiver.

        GET /public/v1/transfer-terms.

        For pages that offer to send a token. Nothing of it promises anything: `POST /public/v1/transfers`
        judges anew. It calls the token’s network.
        """
        return self._call(
            "GET",
            "/public/v1/transfer-terms",
            {},
            {"collection_id": collection_id, "token_id": token_id, "from_address": from_address, "to_address": to_address, "quantity": quantity},
            extra_query=extra_query,
        )

    def get_wallet_item(self, *, eth_address, item_id, proof=None, extra_query=None):
        """Get an item that an address owns.

        GET /public/v1/wallets/{eth_address}/items/{item_id}.

        The item with its collection and who made it. 404 once the address owns no unit of it.
        """
        return self._call(
            "GET",
            "/public/v1/wallets/{eth_address}/items/{item_id}",
            {"eth_address": eth_address, "item_id": item_id},
            {"proof": proof},
            extra_query=extra_query,
        )

    def get_webhook(self, *, webhook_id, extra_query=None):
        """Get a webhook.

        GET /v1/webhooks/{webhook_id}. Needs the permission webhooks:read.
        """
        return self._call(
            "GET",
            "/v1/webhooks/{webhook_id}",
            {"webhook_id": webhook_id},
            {},
            extra_query=extra_query,
        )

    def get_webhook_delivery(self, *, webhook_delivery_id, extra_query=None):
        """Get a delivery.

        GET /v1/webhook-deliveries/{webhook_delivery_id}. Needs the permission webhooks:read.
        """
        return self._call(
            "GET",
            "/v1/webhook-deliveries/{webhook_delivery_id}",
            {"webhook_delivery_id": webhook_delivery_id},
            {},
            extra_query=extra_query,
        )

    def give_up_purchase_intent(
        self,
        *,
        purchase_intent_id,
        secret=None,
        nonce=None,
        signature=None,
        extra_query=None,
    ):
        """Give up a purchase.

        DELETE /public/v1/purchase-intents/{purchase_intent_id}.

        Releases its units: at once with a card, and with a voucher once the voucher can’t be sent any more. A
        purchase that was paid meanwhile gives 409. It needs the purchase’s secret, or, of an open voucher
        purchase, the signature of a challenge with action CLOSE by its address.
        """
        return self._call(
            "DELETE",
            "/public/v1/purchase-intents/{purchase_intent_id}",
            {"purchase_intent_id": purchase_intent_id},
            {"secret": secret, "nonce": nonce, "signature": signature},
            extra_query=extra_query,
        )

    def hand_over_claim(self, *, claim_token, idempotency_key=None, extra_query=None):
        """Make an address that opens a claim in another browser.

        POST /public/v1/email-claims/{claim_token}/handover.

        For going on in the app of a wallet, or on a phone. The address holds a code in place of the claim
        token, since apps pass addresses on: it opens the claim once, after a button was pressed there, within
        five minutes, and asks for the PIN like the link itself. A claim has one such code at a time; it ends
        when the claim is redeemed, revoked or its link replaced.
        """
        return self._call(
            "POST",
            "/public/v1/email-claims/{claim_token}/handover",
            {"claim_token": claim_token},
            {},
            None,
            idempotency_key,
            extra_query=extra_query,
        )

    def import_email_claims(self, body, *, idempotency_key=None, extra_query=None):
        """Import email claims from a CSV file.

        POST /v1/email-claims/import. Needs the permission imports:write.

        The first line names the columns; upper and lower case are the same. Commas, semicolons, tabs and
        vertical bars are recognised as separators; UTF-8 (with or without a byte order mark), UTF-16 and
        Windows-1252 are read. At most 100,000 lines and 25 MiB. Every line gets a verdict: OK, DUPLICATE
        (left out) or INVALID, with a sentence for each reason. Columns: email (required), item_id or token_id
        (of the collection given) or item (an id, a token id, or `next`: the next free item of an ERC-721
        collection), quantity, tx_payer, expiration (2027-01-31 or a date-time), locale; they are understood
        in the languages of our pages, too. A column that nothing reads is in `unknown_columns` and in the
        reasons of lines that fill it, and the import isn’t started before `ignore_columns` lists it. Two
        columns for one field are refused. A line is a DUPLICATE when an earlier line gives this email the
        same item, or the email has it or an open claim of it already; with `next`, when it has one of the
        collection. Needs email_claims:write too.

        Body: collection_id, item_id, campaign_id, tx_payer, ignore_columns, file, csv, dry_run, skip_invalid.
        """
        return self._call(
            "POST",
            "/v1/email-claims/import",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def import_items(self, body, *, idempotency_key=None, extra_query=None):
        """Import items from a CSV file.

        POST /v1/items/import. Needs the permission imports:write.

        The first line names the columns; upper and lower case are the same. Commas, semicolons, tabs and
        vertical bars are recognised as separators; UTF-8 (with or without a byte order mark), UTF-16 and
        Windows-1252 are read. At most 100,000 lines and 25 MiB. Every line gets a verdict: OK, DUPLICATE
        (left out) or INVALID, with a sentence for each reason. Columns: title (required), description,
        image_url, external_id (your own id for it: a line whose external_id was imported into the collection
        before is a DUPLICATE), token_id and max_supply (where token ids are assigned manually: the item is
        locked with them), royalty_receiver, royalty_bps. Any other column, or attributes.<name>, is an
        attribute. Needs items:write too.

        Body: collection_id (required), item_type_id, file, csv, dry_run, skip_invalid.
        """
        return self._call("POST", "/v1/items/import", {}, {}, body, idempotency_key, extra_query=extra_query)

    def leave_organization(self, *, extra_query=None):
        """Leave the organization.

        DELETE /v1/me.

        Ends the caller’s own membership and their API keys. With the dashboard’s session only: an API key
        can’t end its member.
        """
        return self._call("DELETE", "/v1/me", {}, {}, extra_query=extra_query)

    def list_allowances(
        self,
        *,
        listing_id,
        limit=None,
        cursor=None,
        order_direction=None,
        search=None,
        extra_query=None,
    ):
        """List a listing’s allow list.

        GET /v1/listings/{listing_id}/allow-list. Needs the permission listings:read.

        With order_direction ASC, addresses first, then emails, each in alphabetical order; otherwise
        reversed.
        """
        return self._call(
            "GET",
            "/v1/listings/{listing_id}/allow-list",
            {"listing_id": listing_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "search": search},
            extra_query=extra_query,
        )

    def list_api_keys(self, *, limit=None, cursor=None, order_direction=None, extra_query=None):
        """List API keys.

        GET /v1/api-keys. Needs the permission api_keys:read.

        The keys that are not revoked.
        """
        return self._call(
            "GET",
            "/v1/api-keys",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction},
            extra_query=extra_query,
        )

    def list_audit_entries(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        actor_type=None,
        actor_id=None,
        action=None,
        subject_type=None,
        subject_id=None,
        from_=None,
        to=None,
        extra_query=None,
    ):
        """List audit entries.

        GET /v1/audit-entries. Needs the permission audit:read.

        Who did what to which record, its fields before and after, and the caller’s address. Where there is a
        before and an after, only fields that differ are shown. Secrets are never included.
        """
        return self._call(
            "GET",
            "/v1/audit-entries",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "actor_type": actor_type, "actor_id": actor_id, "action": action, "subject_type": subject_type, "subject_id": subject_id, "from": from_, "to": to},
            extra_query=extra_query,
        )

    def list_campaigns(self, *, limit=None, cursor=None, order_direction=None, name=None, extra_query=None):
        """List marketing campaigns.

        GET /v1/marketing-campaigns. Needs the permission campaigns:read.
        """
        return self._call(
            "GET",
            "/v1/marketing-campaigns",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "name": name},
            extra_query=extra_query,
        )

    def list_capabilities(self, *, extra_query=None):
        """List the capabilities of token contracts.

        GET /public/v1/capabilities.
        """
        return self._call("GET", "/public/v1/capabilities", {}, {}, extra_query=extra_query)

    def list_collections(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        network_id=None,
        deployment_status=None,
        search=None,
        extra_query=None,
    ):
        """List collections.

        GET /v1/collections. Needs the permission collections:read.
        """
        return self._call(
            "GET",
            "/v1/collections",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "network_id": network_id, "deployment_status": deployment_status, "search": search},
            extra_query=extra_query,
        )

    def list_email_claims(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        item_id=None,
        collection_id=None,
        campaign_id=None,
        email=None,
        state=None,
        active=None,
        claimed=None,
        search=None,
        extra_query=None,
    ):
        """List email claims.

        GET /v1/email-claims. Needs the permission email_claims:read.
        """
        return self._call(
            "GET",
            "/v1/email-claims",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "item_id": item_id, "collection_id": collection_id, "campaign_id": campaign_id, "email": email, "state": state, "active": active, "claimed": claimed, "search": search},
            extra_query=extra_query,
        )

    def list_email_integrations(self, *, limit=None, cursor=None, order_direction=None, extra_query=None):
        """List email integrations.

        GET /v1/email-integrations. Needs the permission email_integrations:read.

        An organization has at most one.
        """
        return self._call(
            "GET",
            "/v1/email-integrations",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction},
            extra_query=extra_query,
        )

    def list_history(
        self,
        *,
        item_id,
        limit=None,
        cursor=None,
        order_direction=None,
        event_type=None,
        extra_query=None,
    ):
        """List an item’s history on the chain.

        GET /public/v1/items/{item_id}/history.

        Mints, transfers and burns as indexed from the chain, newest first. A reorg may remove the latest
        entries again.
        """
        return self._call(
            "GET",
            "/public/v1/items/{item_id}/history",
            {"item_id": item_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "event_type": event_type},
            extra_query=extra_query,
        )

    def list_import_rows(
        self,
        *,
        import_id,
        limit=None,
        cursor=None,
        order_direction=None,
        verdict=None,
        state=None,
        extra_query=None,
    ):
        """List an import’s rows.

        GET /v1/imports/{import_id}/rows. Needs the permission imports:read.

        In the order of the file unless `order_direction` is DESC.
        """
        return self._call(
            "GET",
            "/v1/imports/{import_id}/rows",
            {"import_id": import_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "verdict": verdict, "state": state},
            extra_query=extra_query,
        )

    def list_imports(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        kind=None,
        state=None,
        extra_query=None,
    ):
        """List imports.

        GET /v1/imports. Needs the permission imports:read.
        """
        return self._call(
            "GET",
            "/v1/imports",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "kind": kind, "state": state},
            extra_query=extra_query,
        )

    def list_item_holds(
        self,
        *,
        item_id,
        limit=None,
        cursor=None,
        order_direction=None,
        state=None,
        extra_query=None,
    ):
        """List an item’s holds.

        GET /v1/items/{item_id}/holds. Needs the permission items:read.

        Every unit of the item: minted, held (for what), and free. A token of our own ERC-721 contract that
        one of our operators has (minted to it, or sent back) is in custody: minted, and free again until
        something holds it; it is delivered by a transfer.
        """
        return self._call(
            "GET",
            "/v1/items/{item_id}/holds",
            {"item_id": item_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "state": state},
            extra_query=extra_query,
        )

    def list_item_perks(self, *, item_id, limit=None, cursor=None, order_direction=None, extra_query=None):
        """List what holders of an item get.

        GET /public/v1/items/{item_id}/perks.

        The titles that the organization shows to everybody, not what they stand for.
        """
        return self._call(
            "GET",
            "/public/v1/items/{item_id}/perks",
            {"item_id": item_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction},
            extra_query=extra_query,
        )

    def list_item_types(self, *, limit=None, cursor=None, order_direction=None, extra_query=None):
        """List item types.

        GET /v1/item-types. Needs the permission item_types:read.
        """
        return self._call(
            "GET",
            "/v1/item-types",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction},
            extra_query=extra_query,
        )

    def list_items(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        collection_id=None,
        locked=None,
        token_status=None,
        attribute=None,
        search=None,
        extra_query=None,
    ):
        """List items.

        GET /v1/items. Needs the permission items:read.
        """
        return self._call(
            "GET",
            "/v1/items",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "collection_id": collection_id, "locked": locked, "token_status": token_status, "attribute": attribute, "search": search},
            extra_query=extra_query,
        )

    def list_listings(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        item_id=None,
        collection_id=None,
        campaign_id=None,
        status=None,
        extra_query=None,
    ):
        """List listings.

        GET /v1/listings. Needs the permission listings:read.
        """
        return self._call(
            "GET",
            "/v1/listings",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "item_id": item_id, "collection_id": collection_id, "campaign_id": campaign_id, "status": status},
            extra_query=extra_query,
        )

    def list_media(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        search=None,
        pinning=None,
        extra_query=None,
    ):
        """List uploaded files.

        GET /v1/media. Needs the permission media:read.
        """
        return self._call(
            "GET",
            "/v1/media",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "search": search, "pinning": pinning},
            extra_query=extra_query,
        )

    def list_members(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        role=None,
        status=None,
        email=None,
        extra_query=None,
    ):
        """List members.

        GET /v1/members. Needs the permission members:read.

        Members who have joined, and those who are invited.
        """
        return self._call(
            "GET",
            "/v1/members",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "role": role, "status": status, "email": email},
            extra_query=extra_query,
        )

    def list_mint_requests(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        collection_id=None,
        item_id=None,
        extra_query=None,
    ):
        """List mint requests.

        GET /v1/mint-requests. Needs the permission mint_requests:read.
        """
        return self._call(
            "GET",
            "/v1/mint-requests",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "collection_id": collection_id, "item_id": item_id},
            extra_query=extra_query,
        )

    def list_mint_vouchers(
        self,
        *,
        eth_address,
        limit=None,
        cursor=None,
        order_direction=None,
        contract_address=None,
        network_id=None,
        extra_query=None,
    ):
        """List an address’s pending mint vouchers.

        GET /public/v1/mint-vouchers/{eth_address}.

        Mint vouchers that were neither redeemed nor cancelled and have not expired.
        """
        return self._call(
            "GET",
            "/public/v1/mint-vouchers/{eth_address}",
            {"eth_address": eth_address},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "contract_address": contract_address, "network_id": network_id},
            extra_query=extra_query,
        )

    def list_networks(self, *, limit=None, cursor=None, order_direction=None, extra_query=None):
        """List the available networks.

        GET /public/v1/networks.

        Ordered by id, the highest first unless `order_direction` is ASC.
        """
        return self._call(
            "GET",
            "/public/v1/networks",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction},
            extra_query=extra_query,
        )

    def list_organizations(self, *, limit=None, cursor=None, order_direction=None, extra_query=None):
        """List the organizations of this key.

        GET /v1/organizations. Needs the permission organizations:read.

        A key belongs to exactly one.
        """
        return self._call(
            "GET",
            "/v1/organizations",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction},
            extra_query=extra_query,
        )

    def list_owners(self, *, item_id, limit=None, cursor=None, order_direction=None, extra_query=None):
        """List an item’s owners.

        GET /public/v1/items/{item_id}/owners.

        Ordered by address, so that pages stay stable when owners change between requests.
        """
        return self._call(
            "GET",
            "/public/v1/items/{item_id}/owners",
            {"item_id": item_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction},
            extra_query=extra_query,
        )

    def list_payment_integrations(self, *, limit=None, cursor=None, order_direction=None, extra_query=None):
        """List payment integrations.

        GET /v1/payment-integrations. Needs the permission payments:read.

        The organization’s accounts at the card provider, disconnected ones included.
        """
        return self._call(
            "GET",
            "/v1/payment-integrations",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction},
            extra_query=extra_query,
        )

    def list_payment_tokens(
        self,
        *,
        network_id,
        limit=None,
        cursor=None,
        order_direction=None,
        extra_query=None,
    ):
        """List the payment tokens of networks.

        GET /public/v1/payment-tokens.

        What crypto listings can be priced in. Ordered by network and address, the highest first unless
        `order_direction` is ASC.
        """
        return self._call(
            "GET",
            "/public/v1/payment-tokens",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "network_id": network_id},
            extra_query=extra_query,
        )

    def list_perk_codes(
        self,
        *,
        perk_id,
        limit=None,
        cursor=None,
        order_direction=None,
        address=None,
        extra_query=None,
    ):
        """List who got which code.

        GET /v1/perks/{perk_id}/codes. Needs the permission items:read.

        Newest first. Codes that nobody got yet aren’t shown.
        """
        return self._call(
            "GET",
            "/v1/perks/{perk_id}/codes",
            {"perk_id": perk_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "address": address},
            extra_query=extra_query,
        )

    def list_perks(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        collection_id=None,
        item_id=None,
        extra_query=None,
    ):
        """List perks.

        GET /v1/perks. Needs the permission items:read.
        """
        return self._call(
            "GET",
            "/v1/perks",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "collection_id": collection_id, "item_id": item_id},
            extra_query=extra_query,
        )

    def list_public_collections(
        self,
        *,
        organization_id,
        limit=None,
        cursor=None,
        order_direction=None,
        collection_id=None,
        network_id=None,
        extra_query=None,
    ):
        """List the collections of an organization.

        GET /public/v1/collections.

        Deployed, public ones.
        """
        return self._call(
            "GET",
            "/public/v1/collections",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "organization_id": organization_id, "collection_id": collection_id, "network_id": network_id},
            extra_query=extra_query,
        )

    def list_public_items(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        organization_id=None,
        network_ids=None,
        attributes=None,
        collection_ids=None,
        token_ids=None,
        owner=None,
        extra_query=None,
    ):
        """List items.

        GET /public/v1/items.

        Locked items of deployed, public collections.
        """
        return self._call(
            "GET",
            "/public/v1/items",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "organization_id": organization_id, "network_ids": network_ids, "attributes": attributes, "collection_ids": collection_ids, "token_ids": token_ids, "owner": owner},
            extra_query=extra_query,
        )

    def list_public_listings(
        self,
        *,
        organization_id,
        limit=None,
        cursor=None,
        order_direction=None,
        item_id=None,
        collection_id=None,
        campaign_id=None,
        extra_query=None,
    ):
        """List the listings of an organization.

        GET /public/v1/listings.

        Of public collections; drafts are not shown.
        """
        return self._call(
            "GET",
            "/public/v1/listings",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "organization_id": organization_id, "item_id": item_id, "collection_id": collection_id, "campaign_id": campaign_id},
            extra_query=extra_query,
        )

    def list_purchase_intents(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        item_id=None,
        collection_id=None,
        listing_id=None,
        status=None,
        email=None,
        eth_address=None,
        fulfillment_status=None,
        fulfillment_method=None,
        payment_provider=None,
        extra_query=None,
    ):
        """List purchase intents.

        GET /v1/purchase-intents. Needs the permission purchase_intents:read.
        """
        return self._call(
            "GET",
            "/v1/purchase-intents",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "item_id": item_id, "collection_id": collection_id, "listing_id": listing_id, "status": status, "email": email, "eth_address": eth_address, "fulfillment_status": fulfillment_status, "fulfillment_method": fulfillment_method, "payment_provider": payment_provider},
            extra_query=extra_query,
        )

    def list_snapshots(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        collection_id=None,
        extra_query=None,
    ):
        """List snapshots.

        GET /v1/snapshots. Needs the permission snapshots:read.
        """
        return self._call(
            "GET",
            "/v1/snapshots",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "collection_id": collection_id},
            extra_query=extra_query,
        )

    def list_suppressions(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        email=None,
        reason=None,
        extra_query=None,
    ):
        """List suppressed addresses.

        GET /v1/suppressions. Needs the permission email_integrations:read.

        Addresses that bounced or complained. They get no more mail of this organization until the entry is
        deleted.
        """
        return self._call(
            "GET",
            "/v1/suppressions",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "email": email, "reason": reason},
            extra_query=extra_query,
        )

    def list_templates(self, *, campaign_id=None, locale=None, extra_query=None):
        """List email templates.

        GET /v1/email-templates. Needs the permission email_templates:read.

        One for each type: the template in use, for a campaign or in general.
        """
        return self._call(
            "GET",
            "/v1/email-templates",
            {},
            {"campaign_id": campaign_id, "locale": locale},
            extra_query=extra_query,
        )

    def list_transactions(
        self,
        *,
        limit=None,
        cursor=None,
        order_direction=None,
        state=None,
        tx_type=None,
        collection_id=None,
        network_id=None,
        extra_query=None,
    ):
        """List transactions.

        GET /v1/transactions. Needs the permission transactions:read.
        """
        return self._call(
            "GET",
            "/v1/transactions",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "state": state, "tx_type": tx_type, "collection_id": collection_id, "network_id": network_id},
            extra_query=extra_query,
        )

    def list_transfer_budgets(self, *, extra_query=None):
        """List what is paid for transfers on each network.

        GET /v1/transfer-budgets. Needs the permission organizations:read.
        """
        return self._call("GET", "/v1/transfer-budgets", {}, {}, extra_query=extra_query)

    def list_variables(self, *, template_type, extra_query=None):
        """List the variables of an email template.

        GET /v1/email-templates/{template_type}/variables. Needs the permission email_templates:read.
        """
        return self._call(
            "GET",
            "/v1/email-templates/{template_type}/variables",
            {"template_type": template_type},
            {},
            extra_query=extra_query,
        )

    def list_wallet_copies(self, *, eth_address, proof, extra_query=None):
        """List the passkeys that were added to a wallet.

        GET /public/v1/wallets/{eth_address}/copies.

        For the wallet’s own page: the copies of its key, the first added first, without what is sealed in
        them.
        """
        return self._call(
            "GET",
            "/public/v1/wallets/{eth_address}/copies",
            {"eth_address": eth_address},
            {"proof": proof},
            extra_query=extra_query,
        )

    def list_wallet_item_history(
        self,
        *,
        eth_address,
        item_id,
        limit=None,
        cursor=None,
        order_direction=None,
        proof=None,
        extra_query=None,
    ):
        """List the history of an item that an address owns.

        GET /public/v1/wallets/{eth_address}/items/{item_id}/history.

        Mints, transfers and burns as indexed from the chain, newest first. A reorg may remove the latest
        entries again.
        """
        return self._call(
            "GET",
            "/public/v1/wallets/{eth_address}/items/{item_id}/history",
            {"eth_address": eth_address, "item_id": item_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "proof": proof},
            extra_query=extra_query,
        )

    def list_wallet_items(
        self,
        *,
        eth_address,
        limit=None,
        cursor=None,
        order_direction=None,
        proof=None,
        extra_query=None,
    ):
        """List what an address owns.

        GET /public/v1/wallets/{eth_address}/items.

        Items of every collection of this installation, contracts of others that are indexed here included,
        newest items first. Private collections only with a proof.
        """
        return self._call(
            "GET",
            "/public/v1/wallets/{eth_address}/items",
            {"eth_address": eth_address},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "proof": proof},
            extra_query=extra_query,
        )

    def list_webhook_deliveries(
        self,
        *,
        webhook_id,
        limit=None,
        cursor=None,
        order_direction=None,
        state=None,
        event_type=None,
        extra_query=None,
    ):
        """List a webhook’s deliveries.

        GET /v1/webhooks/{webhook_id}/deliveries. Needs the permission webhooks:read.

        Each with its payload and the log of its attempts. They are stored for 90 days, unless the
        installation’s RETAIN_DELIVERIES_DAYS says otherwise.
        """
        return self._call(
            "GET",
            "/v1/webhooks/{webhook_id}/deliveries",
            {"webhook_id": webhook_id},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "state": state, "event_type": event_type},
            extra_query=extra_query,
        )

    def list_webhooks(self, *, limit=None, cursor=None, order_direction=None, status=None, extra_query=None):
        """List webhooks.

        GET /v1/webhooks. Needs the permission webhooks:read.
        """
        return self._call(
            "GET",
            "/v1/webhooks",
            {},
            {"limit": limit, "cursor": cursor, "order_direction": order_direction, "status": status},
            extra_query=extra_query,
        )

    def listen_for_events(self, *, after=None, wait=None, limit=None, extra_query=None):
        """Listen for events.

        GET /v1/events. Needs the permission webhooks:read.

        The events after a cursor, in the order in which they were recorded; with `wait` the answer comes once
        there is one. For programs that no webhook can reach: ask again with the `cursor` of each answer.
        Events are stored for 90 days, unless the installation’s RETAIN_DELIVERIES_DAYS says otherwise. An API
        key may wait five times at once, and all keys of an organization fifty times. One that is revoked or
        expires while it waits is refused within about a second.
        """
        return self._call(
            "GET",
            "/v1/events",
            {},
            {"after": after, "wait": wait, "limit": limit},
            extra_query=extra_query,
        )

    def lock_items(self, body, *, idempotency_key=None, extra_query=None):
        """Lock items.

        POST /v1/items/lock. Needs the permission items:write.

        Gives token ids and fixes the supply. Exactly one of item_id, item_ids (all or nothing) and
        collection_id (those that remain, 5,000 at a time: after a failure the same request locks the rest).
        Only locked items can be claimed, listed and minted.

        Body: item_id, item_ids, collection_id, max_supply, token_id.
        """
        return self._call("POST", "/v1/items/lock", {}, {}, body, idempotency_key, extra_query=extra_query)

    def mail_links(self, body, *, idempotency_key=None, extra_query=None):
        """Mail the links of a mailbox again.

        POST /public/v1/link-mails.

        One mail to this mailbox with the links of its open claims and of its purchases, of all organizations
        of this installation; none where there is nothing. The answer is the same for every address. The links
        are those that were mailed before: none is made, replaced or unlocked. At most 3 mails an hour to a
        mailbox, and 10 different mailboxes an hour by one client.

        Body: email (required), locale.
        """
        return self._call(
            "POST",
            "/public/v1/link-mails",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def open_claim(self, *, claim_token, idempotency_key=None, extra_query=None):
        """Record that a person opened the link.

        POST /public/v1/email-claims/{claim_token}/opened.

        For the funnel’s figures only. The claim page’s script sends it; mail scanners don’t.
        """
        return self._call(
            "POST",
            "/public/v1/email-claims/{claim_token}/opened",
            {"claim_token": claim_token},
            {},
            None,
            idempotency_key,
            extra_query=extra_query,
        )

    def open_perks(self, body, *, eth_address, item_id, idempotency_key=None, extra_query=None):
        """See what an address gets as holder of an item.

        POST /public/v1/wallets/{eth_address}/items/{item_id}/perks.

        Only for whoever proves that the address is theirs, and who owns the item both in the latest block and
        in the last final one. It gives no code; `POST
        /public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/codes` does.

        Body: proof (required).
        """
        return self._call(
            "POST",
            "/public/v1/wallets/{eth_address}/items/{item_id}/perks",
            {"eth_address": eth_address, "item_id": item_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def preview_template(
        self,
        body=None,
        *,
        template_type,
        campaign_id=None,
        locale=None,
        idempotency_key=None,
        extra_query=None,
    ):
        """Preview an email template.

        POST /v1/email-templates/{template_type}/preview. Needs the permission email_templates:write.

        Filled in with sample data. Parts left out are taken from the template in use; a part with errors is
        null and its errors are listed.

        Body: subject, text, format, body, blocks, dark, claim_id.
        """
        return self._call(
            "POST",
            "/v1/email-templates/{template_type}/preview",
            {"template_type": template_type},
            {"campaign_id": campaign_id, "locale": locale},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def prove_pin(self, body=None, *, claim_token, idempotency_key=None, extra_query=None):
        """Show a claim’s PIN before redeeming.

        POST /public/v1/email-claims/{claim_token}/pin.

        For pages that ask for the PIN first. A wrong PIN counts as it does when redeeming. A right one isn’t
        used up: the answer sets a cookie, with which `POST /public/v1/email-claims/{claim_token}/redeem`
        needs no PIN from this browser until `expires_at`, as long as no other PIN was sent and the link
        wasn’t sent again, replaced or locked. The answer to a repeat with the same Idempotency-Key sets no
        cookie.

        Body: pin.
        """
        return self._call(
            "POST",
            "/public/v1/email-claims/{claim_token}/pin",
            {"claim_token": claim_token},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def prove_wallet(self, body, *, eth_address, idempotency_key=None, extra_query=None):
        """Prove that a wallet is here.

        POST /public/v1/wallets/{eth_address}/proof.

        Gives a proof to whoever signed a challenge. For an hour, lists of what the address owns take it and
        show items of private collections too; of a wallet that is a contract, those on its network. With it a
        holder also opens what comes with an item (`POST
        /public/v1/wallets/{eth_address}/items/{item_id}/perks`). It permits nothing else.

        Body: challenge (required), signature (required).
        """
        return self._call(
            "POST",
            "/public/v1/wallets/{eth_address}/proof",
            {"eth_address": eth_address},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def redeem_claim(self, body=None, *, claim_token, idempotency_key=None, extra_query=None):
        """Redeem a claim with its PIN.

        POST /public/v1/email-claims/{claim_token}/redeem.

        A missing PIN, a missing address and an address that can’t receive don’t count as an attempt.
        Redeeming twice never mints twice. While no node of the network answers, a redemption that the seller
        pays is taken all the same and waits (`delivery.state` QUEUED). Its address is asked before anything
        is sent: a contract that refuses costs nothing, the claim opens again, and its recipient gets a mail.

        Body: address, pin.
        """
        return self._call(
            "POST",
            "/public/v1/email-claims/{claim_token}/redeem",
            {"claim_token": claim_token},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def refresh_metadata(self, body=None, *, collection_id, idempotency_key=None, extra_query=None):
        """Read metadata of an external contract again.

        POST /v1/collections/{collection_id}/metadata-refresh. Needs the permission collections:write.

        The worker reads it soon, and the pictures with it, at most once in ten minutes for an item. That
        happens by itself when the contract says that metadata changed: `MetadataUpdate` and
        `BatchMetadataUpdate` of ERC-4906, `URI` of ERC-1155. What can’t be read is tried again for about six
        days.

        Body: item_ids.
        """
        return self._call(
            "POST",
            "/v1/collections/{collection_id}/metadata-refresh",
            {"collection_id": collection_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def refresh_payment_integration(self, *, payment_integration_id, idempotency_key=None, extra_query=None):
        """Refresh a card account.

        POST /v1/payment-integrations/{payment_integration_id}/refresh. Needs the permission payments:write.

        Reads the account’s state from the provider, and gets a new onboarding URL while onboarding is not
        complete.
        """
        return self._call(
            "POST",
            "/v1/payment-integrations/{payment_integration_id}/refresh",
            {"payment_integration_id": payment_integration_id},
            {},
            None,
            idempotency_key,
            extra_query=extra_query,
        )

    def refund_purchase_intent(
        self,
        body=None,
        *,
        purchase_intent_id,
        idempotency_key=None,
        extra_query=None,
    ):
        """Refund a purchase.

        POST /v1/purchase-intents/{purchase_intent_id}/refund. Needs the permission purchase_intents:write.

        Refunds a whole card payment, our fee included. Deliveries that have not been made are stopped first;
        a mint that was sent to the chain can’t be stopped: try again once it is final.
        """
        return self._call(
            "POST",
            "/v1/purchase-intents/{purchase_intent_id}/refund",
            {"purchase_intent_id": purchase_intent_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def relay(self, body, *, network_id, idempotency_key=None, extra_query=None):
        """Send a voucher mint or a signed transfer to a network.

        POST /public/v1/relay/{network_id}.

        A JSON-RPC endpoint for wallets in a page. It reads what sending a transaction needs, and sends and
        estimates only `mintWithVoucher` and `transferWithSignature` calls to a collection deployed here.

        Body: jsonrpc, id, method (required), params.
        """
        return self._call(
            "POST",
            "/public/v1/relay/{network_id}",
            {"network_id": network_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def remove_member(self, *, member_id, extra_query=None):
        """Remove a member.

        DELETE /v1/members/{member_id}. Needs the permission members:write.

        Their API keys are revoked, and their sessions lose access to the organization at once.
        """
        return self._call(
            "DELETE",
            "/v1/members/{member_id}",
            {"member_id": member_id},
            {},
            extra_query=extra_query,
        )

    def remove_wallet_copy(self, *, eth_address, copy_id, proof=None, extra_query=None):
        """Remove a passkey that was added to a wallet.

        DELETE /public/v1/wallets/{eth_address}/copies/{copy_id}.

        Its copy of the key is deleted, so that it opens the wallet no more. The proof must be of the last
        five minutes. Whether anything else opens the wallet nobody here knows.
        """
        return self._call(
            "DELETE",
            "/public/v1/wallets/{eth_address}/copies/{copy_id}",
            {"eth_address": eth_address, "copy_id": copy_id},
            {"proof": proof},
            extra_query=extra_query,
        )

    def replay_webhook(self, body, *, webhook_id, idempotency_key=None, extra_query=None):
        """Replay all events since a time.

        POST /v1/webhooks/{webhook_id}/replay. Needs the permission webhooks:write.

        The events that the webhook subscribes to, oldest first, including those it never got because it was
        disabled or did not exist yet. Waiting deliveries are not repeated. At most 1,000 per call; while
        has_more is true, continue with `since` set to `until`.

        Body: since (required), only_failed.
        """
        return self._call(
            "POST",
            "/v1/webhooks/{webhook_id}/replay",
            {"webhook_id": webhook_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def replay_webhook_delivery(
        self,
        body=None,
        *,
        webhook_delivery_id,
        idempotency_key=None,
        extra_query=None,
    ):
        """Send a delivery again.

        POST /v1/webhook-deliveries/{webhook_delivery_id}/replay. Needs the permission webhooks:write.

        Creates a delivery with the same payload and the same `webhook-id`. One that is still waiting is
        attempted at once instead, and returned itself.
        """
        return self._call(
            "POST",
            "/v1/webhook-deliveries/{webhook_delivery_id}/replay",
            {"webhook_delivery_id": webhook_delivery_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def report_abuse(self, body, *, idempotency_key=None, extra_query=None):
        """Report abuse to the operator.

        POST /public/v1/abuse-reports.

        For those who run this service; the organization is shown neither the report nor who sent it. A
        repeated report of the same thing by the same client changes nothing while the first one is open. At
        most 10 things an hour by one client.

        Body: subject (required), reason (required), detail, email.
        """
        return self._call(
            "POST",
            "/public/v1/abuse-reports",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def request_deployment(self, body, *, collection_id, idempotency_key=None, extra_query=None):
        """Deploy a collection.

        POST /v1/collections/{collection_id}/deployment-request. Needs the permission collections:write.

        PLATFORM: our contract, deployed by us. EXTERNAL: an existing contract; we index it, and mint only if
        it permits us. The same request for a connected contract reads again what it permits. A failed
        deployment can be requested again.

        Body: network_id (required), type, token_id_assignment_strategy, platform, external.
        """
        return self._call(
            "POST",
            "/v1/collections/{collection_id}/deployment-request",
            {"collection_id": collection_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def resend_email_claim(self, body=None, *, email_claim_id, idempotency_key=None, extra_query=None):
        """Send an email claim’s link again.

        POST /v1/email-claims/{email_claim_id}/resend. Needs the permission email_claims:write.

        Unlocks a locked claim. For the same address the link stays the same unless new_link is true; a
        corrected address always gets a new link. The old link stops working then. After 50 wrong PINs at one
        link only a new one helps. It is sent again at most once a minute and five times an hour; to a
        corrected address at once. Beyond that 429, and nothing is changed.

        Body: email, new_link.
        """
        return self._call(
            "POST",
            "/v1/email-claims/{email_claim_id}/resend",
            {"email_claim_id": email_claim_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def resend_invitation(self, body=None, *, member_id, idempotency_key=None, extra_query=None):
        """Mail an invitation again.

        POST /v1/members/{member_id}/resend-invitation. Needs the permission members:write.

        With a new link. At most once a minute.
        """
        return self._call(
            "POST",
            "/v1/members/{member_id}/resend-invitation",
            {"member_id": member_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def resolve_name(self, body, *, idempotency_key=None, extra_query=None):
        """Find the address of an ENS name.

        POST /public/v1/names.

        For pages where people type a name in place of an address. The server asks Ethereum, and the gateways
        of names that are kept elsewhere (ERC-3668). Show the address and let the person confirm it: a name
        may stand for another one tomorrow.

        Body: name (required).
        """
        return self._call("POST", "/public/v1/names", {}, {}, body, idempotency_key, extra_query=extra_query)

    def resolve_purchase_intent(self, body, *, purchase_intent_id, idempotency_key=None, extra_query=None):
        """Decide about an unresolved purchase.

        POST /v1/purchase-intents/{purchase_intent_id}/resolve. Needs the permission purchase_intents:write.

        For an UNRESOLVED purchase of which a person found out at the card provider or on the chain what
        became of it. Nothing is paid, refunded or delivered by it.

        Body: outcome (required).
        """
        return self._call(
            "POST",
            "/v1/purchase-intents/{purchase_intent_id}/resolve",
            {"purchase_intent_id": purchase_intent_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def resolve_recipient_name(self, body, *, claim_token, idempotency_key=None, extra_query=None):
        """Find the address of an ENS name.

        POST /public/v1/email-claims/{claim_token}/recipient-name.

        For pages where people type a name in place of an address. The server asks Ethereum, and the gateways
        of names that are kept elsewhere (ERC-3668). Show the address and let the person confirm it: a name
        may stand for another one tomorrow. Redeem with the address.

        Body: name (required).
        """
        return self._call(
            "POST",
            "/public/v1/email-claims/{claim_token}/recipient-name",
            {"claim_token": claim_token},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def return_transfer(self, body=None, *, transfer_id, idempotency_key=None, extra_query=None):
        """Return a token to its sender.

        POST /v1/transfers/{transfer_id}/return. Needs the permission email_claims:write.

        Of a token that was sent to a mailbox: once more where its sender’s address refused it
        (RETURN_REFUSED), or where the mailbox was lost when a backup was put back, as an alarm says. Any
        other is refused with `conflict`.
        """
        return self._call(
            "POST",
            "/v1/transfers/{transfer_id}/return",
            {"transfer_id": transfer_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def reveal_collection(self, body=None, *, collection_id, idempotency_key=None, extra_query=None):
        """Reveal a collection.

        POST /v1/collections/{collection_id}/reveal. Needs the permission collections:write.

        With reveal_strategy DELAYED, once all items are locked: their contents are shuffled among them with a
        seed that was committed to from the start, and are shown from then on. It can’t be undone.
        """
        return self._call(
            "POST",
            "/v1/collections/{collection_id}/reveal",
            {"collection_id": collection_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def revoke_api_key(self, *, api_key_id, extra_query=None):
        """Revoke an API key.

        DELETE /v1/api-keys/{api_key_id}. Needs the permission api_keys:write.

        Takes effect at once and can’t be undone. Only an owner revokes the key of an owner.
        """
        return self._call(
            "DELETE",
            "/v1/api-keys/{api_key_id}",
            {"api_key_id": api_key_id},
            {},
            extra_query=extra_query,
        )

    def revoke_email_claim(self, *, email_claim_id, extra_query=None):
        """Revoke an email claim.

        DELETE /v1/email-claims/{email_claim_id}. Needs the permission email_claims:write.

        Its link stops working and its units are released. A mint voucher that was issued already is cancelled
        on the chain first.
        """
        return self._call(
            "DELETE",
            "/v1/email-claims/{email_claim_id}",
            {"email_claim_id": email_claim_id},
            {},
            extra_query=extra_query,
        )

    def rotate_webhook_secret(self, body=None, *, webhook_id, idempotency_key=None, extra_query=None):
        """Replace a webhook’s secret.

        POST /v1/webhooks/{webhook_id}/rotate-secret. Needs the permission webhooks:write.

        For 24 hours deliveries are signed with both secrets: the header contains two signatures, separated by
        a space. The new secret is in this response only.
        """
        return self._call(
            "POST",
            "/v1/webhooks/{webhook_id}/rotate-secret",
            {"webhook_id": webhook_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def save_template(self, body, *, template_type, campaign_id=None, locale=None, extra_query=None):
        """Write an email template.

        PUT /v1/email-templates/{template_type}. Needs the permission email_templates:write.

        A new version each time, used from the next mail on: of `blocks`, or of `text`, `format` and `body`.
        Mustache with the variables of this type alone; unknown ones, partials, other delimiters, unescaped
        output and sections that aren’t closed are 422 with their line. REDEEM_NFT and CLAIM_REMINDER need
        {{claim_url}}, CLAIM_PINCODE needs {{pin}}, in text and body.

        Body: subject (required), text, format, body, blocks.
        """
        return self._call(
            "PUT",
            "/v1/email-templates/{template_type}",
            {"template_type": template_type},
            {"campaign_id": campaign_id, "locale": locale},
            body,
            extra_query=extra_query,
        )

    def save_wallet_copy(self, body, *, eth_address, idempotency_key=None, extra_query=None):
        """Keep a wallet’s key, sealed by a passkey.

        POST /public/v1/wallets/{eth_address}/copies.

        For the wallet’s own page: a passkey that is added to a wallet seals its key, and the server keeps
        what nobody but that passkey can open. At most ten for a wallet, and only once it has received
        something here. The same id again takes the place of the earlier copy.

        Body: proof (required), copy_id (required), sealed (required).
        """
        return self._call(
            "POST",
            "/public/v1/wallets/{eth_address}/copies",
            {"eth_address": eth_address},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def search(self, *, q, extra_query=None):
        """Search everything.

        GET /v1/search. Needs the permission organizations:read.

        Finds collections and campaigns by name, items by the beginnings of words in their title or by token
        id, their listings, email claims and purchases by the beginning of an email address, members by email,
        and anything by its id. At most five of each kind, and only kinds the caller may read.
        """
        return self._call("GET", "/v1/search", {}, {"q": q}, extra_query=extra_query)

    def send_pin(self, *, claim_token, idempotency_key=None, extra_query=None):
        """Send a PIN to the claim’s mailbox.

        POST /public/v1/email-claims/{claim_token}/verify.

        Six digits, good for 10 minutes and one use; an earlier PIN is void. PINs are mailed at least 60
        seconds apart and at most 5 an hour; a request before that is refused with `rate_limited`.
        """
        return self._call(
            "POST",
            "/public/v1/email-claims/{claim_token}/verify",
            {"claim_token": claim_token},
            {},
            None,
            idempotency_key,
            extra_query=extra_query,
        )

    def send_test_mail(self, body=None, *, integration_id, idempotency_key=None, extra_query=None):
        """Send a test message.

        POST /v1/email-integrations/{integration_id}/send-test. Needs the permission email_integrations:write.

        Sends a real message with these settings, active or not. When the mail server refuses it, the
        integration is FAILED; when it refuses only the recipient, nothing changes.

        Body: email.
        """
        return self._call(
            "POST",
            "/v1/email-integrations/{integration_id}/send-test",
            {"integration_id": integration_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def send_test_template(
        self,
        body=None,
        *,
        template_type,
        campaign_id=None,
        locale=None,
        idempotency_key=None,
        extra_query=None,
    ):
        """Send an email template to yourself.

        POST /v1/email-templates/{template_type}/send-test. Needs the permission email_templates:write.

        To the calling member (or the API key’s member), filled in with sample data; the subject begins with
        [Test].

        Body: subject, text, format, body, blocks.
        """
        return self._call(
            "POST",
            "/v1/email-templates/{template_type}/send-test",
            {"template_type": template_type},
            {"campaign_id": campaign_id, "locale": locale},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def set_transfer_budget(self, body, *, network_id, extra_query=None):
        """Set what is paid for transfers on a network.

        PUT /v1/transfer-budgets/{network_id}. Needs the permission organizations:write.

        The gas of transfers that holders sign, in 24 hours. It is apart from the gas budget of claims and
        mints; what the installation grants the organization bounds it, too. Until it is set, a small amount
        is paid on test networks and nothing on others.

        Body: daily_wei (required).
        """
        return self._call(
            "PUT",
            "/v1/transfer-budgets/{network_id}",
            {"network_id": network_id},
            {},
            body,
            extra_query=extra_query,
        )

    def start_import(self, body=None, *, import_id, idempotency_key=None, extra_query=None):
        """Start an import.

        POST /v1/imports/{import_id}/start. Needs the permission imports:write.

        Its OK rows are carried out one after the other, each exactly once even after a crash. Needs
        items:write or email_claims:write too, by its kind.

        Body: skip_invalid, ignore_columns.
        """
        return self._call(
            "POST",
            "/v1/imports/{import_id}/start",
            {"import_id": import_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def take_over_purchase_intent(self, body, *, purchase_intent_id, idempotency_key=None, extra_query=None):
        """Take over an open voucher purchase.

        POST /public/v1/purchase-intents/{purchase_intent_id}/take-over.

        Returns the purchase with a new secret to whoever signed a challenge with action TAKE_OVER by its
        address. Earlier secrets are void, and an email that was given with it is forgotten.

        Body: nonce (required), signature (required).
        """
        return self._call(
            "POST",
            "/public/v1/purchase-intents/{purchase_intent_id}/take-over",
            {"purchase_intent_id": purchase_intent_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def take_perk_codes(self, body, *, eth_address, item_id, perk_id, idempotency_key=None, extra_query=None):
        """Take the codes of a perk.

        POST /public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/codes.

        One for each unit of the item that the address owns and for which none was given yet, up to 100 at
        once. Repeated, it shows the same codes again. A code that was given for a unit is used up, also when
        the unit is sold.

        Body: proof (required).
        """
        return self._call(
            "POST",
            "/public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/codes",
            {"eth_address": eth_address, "item_id": item_id, "perk_id": perk_id},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def test_webhook(self, body=None, *, webhook_id, idempotency_key=None, extra_query=None):
        """Send a test event.

        POST /v1/webhooks/{webhook_id}/test. Needs the permission webhooks:write.

        An event of type `webhook.test`, signed and sent like any other. Its outcome is in the delivery.
        """
        return self._call(
            "POST",
            "/v1/webhooks/{webhook_id}/test",
            {"webhook_id": webhook_id},
            {},
            {} if body is None else body,
            idempotency_key,
            extra_query=extra_query,
        )

    def token_metadata(self, *, collection_id, token_id, extra_query=None):
        """A token’s metadata.

        GET /public/v1/metadata/{collection_id}/{token_id}.

        What `tokenURI` and `uri` point to, as wallets and marketplaces read it. `token_id` is decimal, or 64
        hex digits as in ERC-1155: 64 digits are hex when they begin with 0 or when there is no such decimal
        token.
        """
        return self._call(
            "GET",
            "/public/v1/metadata/{collection_id}/{token_id}",
            {"collection_id": collection_id, "token_id": token_id},
            {},
            extra_query=extra_query,
        )

    def trigger_event(self, body, *, idempotency_key=None, extra_query=None):
        """Trigger an example of an event.

        POST /v1/events/trigger. Needs the permission webhooks:write.

        For trying a listener: records the documented example of an event, with `test: true`. Only listeners
        get it (`GET /v1/events`); it is sent to no webhook, and nothing of it happened.

        Body: type (required).
        """
        return self._call(
            "POST",
            "/v1/events/trigger",
            {},
            {},
            body,
            idempotency_key,
            extra_query=extra_query,
        )

    def update_campaign(self, body=None, *, campaign_id, extra_query=None):
        """Edit a marketing campaign.

        PATCH /v1/marketing-campaigns/{campaign_id}. Needs the permission campaigns:write.

        Body: name, email_from, reminder_days, send_at, locale.
        """
        return self._call(
            "PATCH",
            "/v1/marketing-campaigns/{campaign_id}",
            {"campaign_id": campaign_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_collection(self, body=None, *, collection_id, extra_query=None):
        """Change a collection.

        PATCH /v1/collections/{collection_id}. Needs the permission collections:write.

        Fields left out stay as they are; null clears one. A new royalty of a deployed contract is sent to the
        chain.

        Body: name, description, external_link, image_url, media, default_item_type_id, preview_metadata,
        royalty_info, is_public, editable_metadata, reveal_strategy.
        """
        return self._call(
            "PATCH",
            "/v1/collections/{collection_id}",
            {"collection_id": collection_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_email_integration(self, body=None, *, integration_id, extra_query=None):
        """Change the organization’s own mail.

        PATCH /v1/email-integrations/{integration_id}. Needs the permission email_integrations:write.

        Any of the fields given at creation, flat or under `config`. A secret that is missing, null or empty
        stays as it is. The provider can’t change: delete the integration and create a new one. After a change
        of anything but email_reply_to and webhook_signing_key it is PENDING, and mail is sent by the
        installation’s own server until `POST /v1/email-integrations/{integration_id}/activate` has tested the
        new settings.

        Body: email_from, email_reply_to, domain, region, host, port, smtp_username, username, api_key,
        webhook_signing_key, smtp_password, password, config, provider.
        """
        return self._call(
            "PATCH",
            "/v1/email-integrations/{integration_id}",
            {"integration_id": integration_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_email_words(self, body=None, *, extra_query=None):
        """Replace words of built-in mails.

        PATCH /v1/email-words. Needs the permission email_templates:write.

        By language and key, as in the catalogues (`messages/`). A text is ICU with the variables of the
        built-in one, and keeps the terms of the glossary. Plurals don’t nest and have at most 12 forms; with
        all forms written out a text takes at most 20 kB. null restores the built-in text. What isn’t named
        stays. Translations of items keep these terms too.

        Body: words, glossary.
        """
        return self._call(
            "PATCH",
            "/v1/email-words",
            {},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_item(self, body, *, item_id, extra_query=None):
        """Change an item.

        PATCH /v1/items/{item_id}. Needs the permission items:write.

        Given attributes overwrite, others stay, null removes; title is required. Attributes of a minted item
        change only where the collection has editable_metadata, and the contents that a delayed reveal
        promised don’t change. A royalty of a locked item is sent to the chain.

        Body: attributes (required), translations, item_type_id, royalty_info.
        """
        return self._call(
            "PATCH",
            "/v1/items/{item_id}",
            {"item_id": item_id},
            {},
            body,
            extra_query=extra_query,
        )

    def update_item_type(self, body=None, *, item_type_id, extra_query=None):
        """Change an item type.

        PATCH /v1/item-types/{item_type_id}. Needs the permission item_types:write.

        Its schema can’t change once an item or collection uses it; the name always can.

        Body: name, schema.
        """
        return self._call(
            "PATCH",
            "/v1/item-types/{item_type_id}",
            {"item_type_id": item_type_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_listing(self, body=None, *, listing_id, extra_query=None):
        """Edit a listing.

        PATCH /v1/listings/{listing_id}. Needs the permission listings:write.

        Policy limits, times and campaign. status PAUSED takes it off sale and releases its unsold units;
        ACTIVE puts it (or a DRAFT) on sale and holds them again.

        Body: status, max_quantity_per_tx, start_time, end_time, campaign_id, proof_of_work, policy.
        """
        return self._call(
            "PATCH",
            "/v1/listings/{listing_id}",
            {"listing_id": listing_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_member(self, body=None, *, member_id, extra_query=None):
        """Change a member’s role.

        PATCH /v1/members/{member_id}. Needs the permission members:write.

        Neither the old nor the new role may be beyond the caller’s own, and a raised role is bounded as in an
        invitation. At least one member who has joined stays an owner.

        Body: role.
        """
        return self._call(
            "PATCH",
            "/v1/members/{member_id}",
            {"member_id": member_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_organization(self, body=None, *, organization_id, extra_query=None):
        """Edit an organization.

        PATCH /v1/organizations/{organization_id}. Needs the permission organizations:write.

        What recipients and buyers see of it, and its settings. The payout address receives the proceeds of
        crypto sales. If it is a contract, payout_warnings lists the networks of the organization’s
        collections on which it is not deployed. Without one (null), the organization’s listings that are sold
        by mint voucher pause, and payout_warnings names them.

        Body: name, payout_address, embed_origins, requires_passkeys, follows_oidc_roles, brand, terms_url,
        contact_email, web_domain, locale, shows_vitrine.
        """
        return self._call(
            "PATCH",
            "/v1/organizations/{organization_id}",
            {"organization_id": organization_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_perk(self, body=None, *, perk_id, extra_query=None):
        """Edit a perk.

        PATCH /v1/perks/{perk_id}. Needs the permission items:write.

        A file can’t be exchanged: delete the perk and create another one.

        Body: title, is_public, text, url.
        """
        return self._call(
            "PATCH",
            "/v1/perks/{perk_id}",
            {"perk_id": perk_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_snapshot(self, body=None, *, snapshot_id, extra_query=None):
        """Rename a snapshot.

        PATCH /v1/snapshots/{snapshot_id}. Needs the permission snapshots:write.

        Body: name.
        """
        return self._call(
            "PATCH",
            "/v1/snapshots/{snapshot_id}",
            {"snapshot_id": snapshot_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def update_webhook(self, body=None, *, webhook_id, extra_query=None):
        """Change, disable or enable a webhook.

        PATCH /v1/webhooks/{webhook_id}. Needs the permission webhooks:write.

        Disabling it drops waiting deliveries, and events that happen meanwhile are not sent; a replay sends
        both. Enabling it starts with new events.

        Body: name, url, events, status.
        """
        return self._call(
            "PATCH",
            "/v1/webhooks/{webhook_id}",
            {"webhook_id": webhook_id},
            {},
            {} if body is None else body,
            extra_query=extra_query,
        )

    def upload_media(self, body, *, idempotency_key=None, extra_query=None):
        """Upload an image.

        POST /v1/media. Needs the permission media:write.

        JPEG, PNG, WebP, GIF, AVIF or SVG, recognised by its content, up to 25 MiB and 50 megapixels; as the
        part `file` of a form, or as base64 in JSON. It is stored as it is, without its metadata, and in three
        more sizes as WebP: without loss up to 256 pixels a side or 256 colours. The original and `full` keep
        animations of GIF and WebP; other moving pictures are refused (`movement_lost`) unless `still` is
        true. The same file gives the same record. Any of its URLs can be an item’s `image_url`.

        Body: file (required), still.
        """
        return self._call("POST", "/v1/media", {}, {}, body, idempotency_key, extra_query=extra_query)

    def wait_for_claim(self, *, claim_token, after=None, wait=None, extra_query=None):
        """Wait for a change of what a claim token redeems.

        GET /public/v1/email-claims/{claim_token}/changes.

        For open pages: ask for the version, read what the token redeems, and then ask again with `after` and
        `wait`; the answer comes within about a second of a change. 50 pages of one client may wait at once.
        One that is refused reads again now and then instead.
        """
        return self._call(
            "GET",
            "/public/v1/email-claims/{claim_token}/changes",
            {"claim_token": claim_token},
            {"after": after, "wait": wait},
            extra_query=extra_query,
        )

    def wait_for_listing(self, *, listing_id, after=None, wait=None, extra_query=None):
        """Wait for a change of a listing.

        GET /public/v1/listings/{listing_id}/changes.

        For open pages: ask for the version, read the listing, and then ask again with `after` and `wait`; the
        answer comes within about a second of a change. 50 pages of one client may wait at once. One that is
        refused reads again now and then instead. What only the clock changes, such as its end, is in the
        listing itself.
        """
        return self._call(
            "GET",
            "/public/v1/listings/{listing_id}/changes",
            {"listing_id": listing_id},
            {"after": after, "wait": wait},
            extra_query=extra_query,
        )

    def wait_for_purchase(self, *, purchase_intent_id, after=None, wait=None, secret=None, extra_query=None):
        """Wait for a change of a purchase.

        GET /public/v1/purchase-intents/{purchase_intent_id}/changes.

        For open pages: ask for the version, read the purchase, and then ask again with `after` and `wait`;
        the answer comes within about a second of a change. 50 pages of one client may wait at once. One that
        is refused reads again now and then instead.
        """
        return self._call(
            "GET",
            "/public/v1/purchase-intents/{purchase_intent_id}/changes",
            {"purchase_intent_id": purchase_intent_id},
            {"after": after, "wait": wait, "secret": secret},
            extra_query=extra_query,
        )

    def wait_for_transfer(self, *, transfer_id, after=None, wait=None, extra_query=None):
        """Wait for a change of a transfer.

        GET /public/v1/transfers/{transfer_id}/changes.

        For open pages: ask for the version, read the transfer, and then ask again with `after` and `wait`;
        the answer comes within about a second of a change. 50 pages of one client may wait at once. One that
        is refused reads again now and then instead.
        """
        return self._call(
            "GET",
            "/public/v1/transfers/{transfer_id}/changes",
            {"transfer_id": transfer_id},
            {"after": after, "wait": wait},
            extra_query=extra_query,
        )

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
