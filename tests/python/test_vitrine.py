"""Tests of the client that packages/python/template.py becomes, against a server of their own, which answers what each test tells it to."""

import base64
import datetime
import hashlib
import hmac
import http.server
import json
import threading
import time
import unittest

from vitrine import Vitrine, VitrineError, verify_webhook

EMPTY = {"results": [], "has_more": False, "cursor": None, "total_results": 0}


class Server:
    def __init__(self):
        self.requests = []
        self.answers = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length)
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.requests.append((self.command, self.path, headers, json.loads(body) if body else None))
                status, more, text = server.answers.pop(0)
                if status is None:
                    return self.connection.close()
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = answer

            def log_message(self, *_):
                pass

        self.http = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.origin = "http://127.0.0.1:%d" % self.http.server_port
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def will(self, status, body=None, **headers):
        more = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.answers.append((status, more, "" if body is None else json.dumps(body)))

    def will_break_off(self):
        self.answers.append((None, {}, ""))


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.http.server_close)
        self.addCleanup(self.server.http.shutdown)
        self.client = Vitrine(self.server.origin + "/", key="vt_test_1")

    def only_request(self):
        self.assertEqual(len(self.server.requests), 1)
        return self.server.requests[0]

    def test_what_a_call_asks_to_wait_is_no_delay(self):
        client = Vitrine(self.server.origin, key="vt_test_1", timeout=5)
        timeouts = []
        send = client._opener.open

        def open_and_note(request, timeout):
            timeouts.append(timeout)
            return send(request, timeout=timeout)

        client._opener.open = open_and_note
        self.server.will(200, {"results": [], "has_more": False, "cursor": "c"})
        self.server.will(200, EMPTY)
        client.listen_for_events(wait=30)
        client.list_items()
        self.assertEqual(timeouts, [35, 5])

    def test_parameters_are_in_the_path_and_the_query(self):
        self.server.will(200, EMPTY)
        self.client.list_public_items(organization_id="o", network_ids=[1, 2], attributes=["colour:ivory & gold"])
        method, path, headers, body = self.only_request()
        self.assertEqual(method, "GET")
        self.assertEqual(
            path, "/public/v1/items?organization_id=o&network_ids=1&network_ids=2&attributes=colour%3Aivory+%26+gold"
        )
        self.assertIsNone(body)

    def test_a_path_parameter_cannot_leave_its_place(self):
        self.server.will(200, {})
        self.client.get_item(item_id="../api-keys?x={item_id}")
        self.assertEqual(self.only_request()[1], "/v1/items/..%2Fapi-keys%3Fx%3D%7Bitem_id%7D")

    def test_an_empty_part_of_a_path_is_refused_before_it_is_sent(self):
        for item_id in ("", None, ".", ".."):
            with self.assertRaises(ValueError):
                self.client.get_item(item_id=item_id)
        self.assertEqual(self.server.requests, [])

    def test_an_unknown_name_is_refused_unless_it_is_an_extra_one(self):
        with self.assertRaises(TypeError):
            self.client.delete_template(template_type="REDEEM_NFT", campaignId="c")
        self.server.will(200, EMPTY)
        list(self.client.pages("list_items", limit=1, extra_query={"newer": ["a", "b"]}))
        self.assertEqual(self.only_request()[1], "/v1/items?limit=1&newer=a&newer=b")

    def test_the_key_goes_to_the_administrative_interface_only(self):
        self.server.will(200, {})
        self.server.will(200, {})
        self.client.get_me()
        self.client.get_public_item(item_id="i")
        self.assertEqual(self.server.requests[0][2]["authorization"], "Bearer vt_test_1")
        self.assertNotIn("authorization", self.server.requests[1][2])

    def test_a_body_is_json_with_times_in_their_zone(self):
        self.server.will(201, {"id": "c"})
        moment = datetime.datetime(2026, 11, 23, 12, tzinfo=datetime.timezone.utc)
        answer = self.client.create_email_claim({"email": "ada@example.com", "item_id": "i", "expiration": moment})
        self.assertEqual(answer, {"id": "c"})
        self.assertEqual(
            self.only_request()[3],
            {"email": "ada@example.com", "item_id": "i", "expiration": "2026-11-23T12:00:00+00:00"},
        )

    def test_a_time_without_a_zone_is_refused(self):
        with self.assertRaises(ValueError):
            self.client.create_email_claim({"expiration": datetime.datetime(2026, 11, 23)})

    def test_a_refusal_is_an_error_with_its_code_and_fields(self):
        errors = [{"field": "email", "code": "required", "detail": "This field is required."}]
        problem = {"code": "invalid_request", "detail": "email: This field is required.", "errors": errors, "request_id": "r"}
        self.server.will(400, problem)
        with self.assertRaises(VitrineError) as caught:
            self.client.create_email_claim({})
        error = caught.exception
        self.assertEqual((error.status, error.code, error.errors, error.request_id), (400, "invalid_request", errors, "r"))
        self.assertEqual(str(error), "email: This field is required.")

    def test_a_lost_answer_is_asked_for_again_with_the_same_key(self):
        self.server.will_break_off()
        self.server.will(429, {"code": "rate_limited", "detail": "Wait."}, retry_after="0")
        self.server.will(201, {"id": "c"})
        self.assertEqual(self.client.create_email_claim({"email": "a"})["id"], "c")
        keys = {headers["idempotency-key"] for _, _, headers, _ in self.server.requests}
        self.assertEqual((len(self.server.requests), len(keys)), (3, 1))
        self.assertGreaterEqual(len(keys.pop()), 22)

    def test_an_idempotency_key_of_ones_own_is_sent(self):
        self.server.will(201, {})
        self.client.create_email_claim({"email": "a"}, idempotency_key="order-7")
        self.assertEqual(self.only_request()[2]["idempotency-key"], "order-7")

    def test_it_gives_up_after_so_many_tries_and_before_a_long_wait(self):
        for _ in range(3):
            self.server.will(503, {"code": "overloaded", "detail": "Later."}, retry_after="0")
        with self.assertRaises(VitrineError) as caught:
            self.client.get_me()
        self.assertEqual((caught.exception.code, len(self.server.requests)), ("overloaded", 3))
        self.server.will(429, {"code": "rate_limited", "detail": "Later."}, retry_after="3600")
        with self.assertRaises(VitrineError) as caught:
            self.client.get_me()
        self.assertEqual((caught.exception.retry_after, len(self.server.requests)), (3600.0, 4))

    def test_a_refusal_is_not_repeated(self):
        self.server.will(409, {"code": "sold_out", "detail": "Sold out."})
        with self.assertRaises(VitrineError):
            self.client.create_purchase_intent({"listing_id": "l", "buyer": {}})
        self.only_request()

    def test_a_redirect_is_not_followed(self):
        self.server.will(302, None, location=self.server.origin + "/elsewhere")
        with self.assertRaises(VitrineError) as caught:
            self.client.get_me()
        self.assertEqual(caught.exception.status, 302)
        self.only_request()

    def test_pages_are_walked_to_the_end(self):
        self.server.will(200, {**EMPTY, "results": [{"id": 1}, {"id": 2}], "has_more": True, "cursor": "c1"})
        self.server.will(200, {**EMPTY, "results": [{"id": 3}]})
        found = [each["id"] for each in self.client.pages("list_items", collection_id="x", limit=2)]
        self.assertEqual(found, [1, 2, 3])
        self.assertIn("cursor=c1", self.server.requests[1][1])

    def test_an_empty_answer_is_none_and_text_stays_text(self):
        self.server.will(204)
        self.assertIsNone(self.client.delete_webhook(webhook_id="w"))
        self.server.answers.append((200, {"content-type": "text/csv; charset=utf-8"}, "email\nada@example.com\n"))
        self.assertEqual(self.client.export_email_claims(), "email\nada@example.com\n")


class WebhookTest(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()
    body = b'{"type":"item.minted"}'

    def headers(self, moment=None, body=None):
        moment = str(int(time.time() if moment is None else moment))
        key = base64.b64decode(self.secret[6:])
        signed = hmac.new(key, b"msg_1." + moment.encode() + b"." + (body or self.body), hashlib.sha256).digest()
        signature = "v1,b3RoZXI= v1," + base64.b64encode(signed).decode()
        return {"Webhook-Id": "msg_1", "Webhook-Timestamp": moment, "Webhook-Signature": signature}

    def code_of(self, headers, body=None):
        with self.assertRaises(VitrineError) as caught:
            verify_webhook(self.secret, headers, body or self.body)
        return caught.exception.code

    def test_a_genuine_request_gives_its_event(self):
        self.assertEqual(verify_webhook(self.secret, self.headers(), self.body)["type"], "item.minted")
        self.assertEqual(verify_webhook(self.secret, self.headers(), self.body.decode())["type"], "item.minted")

    def test_a_changed_body_is_refused(self):
        self.assertEqual(self.code_of(self.headers(), b'{"type":"item.burned"}'), "webhook_forged")

    def test_an_old_or_future_request_is_refused(self):
        for moment in (time.time() - 400, time.time() + 400):
            self.assertEqual(self.code_of(self.headers(moment)), "webhook_too_old")

    def test_a_request_without_signature_is_refused(self):
        self.assertEqual(self.code_of({}), "webhook_unsigned")
        self.assertEqual(self.code_of({**self.headers(), "Webhook-Timestamp": "soon"}), "webhook_unsigned")


if __name__ == "__main__":
    unittest.main()
