import { POST as answerAtSandbox } from '../../app/sandbox/cards/v1/[...path]/route.ts'
import { sandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'

/** Pays as the checkout page does: form-encoded, with the publishable key and the payment's secret. */
export async function confirmCardPayment(
  clientSecret: string,
  form: Record<string, string>,
): Promise<{ status: number; body: any }> {
  // tests read the wire body untyped
  const id = clientSecret.split('_secret_')[0]!
  const body = new URLSearchParams({ client_secret: clientSecret, key: sandboxKeys().publishableKey, ...form })
  const answer = await answerAtSandbox(
    new Request(`http://localhost:3000/sandbox/cards/v1/payment_intents/${id}/confirm`, { method: 'POST', body }),
  )
  return { status: answer.status, body: await answer.json() }
}
