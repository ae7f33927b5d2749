/** Receivers that verify what comes, ready to be copied. The documentation shows the same. */
export const SNIPPETS = {
  JavaScript: `// receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const secret = process.env.VITRINE_WEBHOOK_SECRET // whsec_…
if (!secret) throw new Error('Set VITRINE_WEBHOOK_SECRET.')
const key = Buffer.from(secret.slice('whsec_'.length), 'base64')

/** Whether one of the signatures is right and the request is at most five minutes old. */
function isGenuine(headers, body) {
  const time = headers['webhook-timestamp']
  const signature = createHmac('sha256', key).update(\`\${headers['webhook-id']}.\${time}.\${body}\`).digest('base64')
  const expected = Buffer.from(\`v1,\${signature}\`)
  const given = (headers['webhook-signature'] ?? '').split(' ').map((one) => Buffer.from(one))
  const isSigned = given.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
  return isSigned && Math.abs(Date.now() / 1000 - Number(time)) <= 300
}

const server = createServer(async (request, response) => {
  const body = await text(request) // as it came: parsing it first breaks the signature
  if (!isGenuine(request.headers, body)) return response.writeHead(400).end('Bad signature.')
  const event = JSON.parse(body)
  // event.id stays the same when an event comes again: do each one once.
  console.log('Verified:', event.type, event.id)
  response.writeHead(204).end()
})
server.listen(process.env.PORT ?? 4242, '127.0.0.1')
`,
  Python: `# receiver.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = os.environ["VITRINE_WEBHOOK_SECRET"]  # whsec_…
key = base64.b64decode(secret[len("whsec_"):])


def is_genuine(headers, body):
    """Whether one of the signatures is right and the request is at most five minutes old."""
    moment = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id', '')}.{moment}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    is_signed = any(hmac.compare_digest(one, expected) for one in given)
    return is_signed and abs(time.time() - int(moment)) <= 300


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))  # as it came: parsing it first breaks the signature
        if not is_genuine(self.headers, body):
            return self.send_error(400, "Bad signature.")
        event = json.loads(body)
        # event["id"] stays the same when an event comes again: do each one once.
        print("Verified:", event["type"], event["id"], flush=True)
        self.send_response(204)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4242))), Receiver).serve_forever()
`,
  PHP: `<?php // receiver.php
$secret = getenv('VITRINE_WEBHOOK_SECRET') ?: throw new Exception('Set VITRINE_WEBHOOK_SECRET.'); // whsec_…
$body = file_get_contents('php://input'); // as it came: parsing it first breaks the signature
[$id, $time] = [$_SERVER['HTTP_WEBHOOK_ID'] ?? '', $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? ''];
$key = base64_decode(substr($secret, strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
$isGenuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
    $isGenuine = hash_equals($expected, $signature) || $isGenuine;
}
if (!$isGenuine || abs(time() - (int) $time) > 300) {
    http_response_code(400);
    exit('Bad signature.');
}
$event = json_decode($body, true);
// $event['id'] stays the same when an event comes again: do each one once.
error_log("Verified: {$event['type']} {$event['id']}");
http_response_code(204);
`,
} as const
