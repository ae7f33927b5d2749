/** Code that verifies a delivery, ready to be copied. The documentation shows the same. */
export const SNIPPETS = {
  TypeScript: `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks'
import { secret } from './settings' // whsec_…, as you were shown it

const webhook = new Webhook(secret)

export async function POST(request: Request): Promise<Response> {
  const body = await request.text() // as it came: parsing it first breaks the signature
  let event: { type: string; id: string; timestamp: string; data: Record<string, unknown> }
  try {
    event = webhook.verify(body, Object.fromEntries(request.headers)) as typeof event
  } catch {
    return new Response('Bad signature.', { status: 400 })
  }
  // event.id stays the same when an event comes again: do each one once.
  console.log(event.type, event.data)
  return new Response(null, { status: 204 })
}
`,
  Python: `# pip install standardwebhooks flask
import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["VITRINE_WEBHOOK_SECRET"])


@app.post("/hooks/vitrine")
def receive():
    try:
        # as it came: parsing it first breaks the signature
        event = webhook.verify(request.get_data(as_text=True), dict(request.headers))
    except WebhookVerificationError:
        return "Bad signature.", 400
    # event["id"] stays the same when an event comes again: do each one once.
    print(event["type"], event["data"])
    return "", 204
`,
} as const
