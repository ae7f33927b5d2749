import { randomUUID } from 'node:crypto'
import { cardWebhookContext } from '@/lib/platform/auth/authenticate'
import { AppError, notFound } from '@/lib/core/errors'
import { asAppError, logFailure, problem } from '@/lib/platform/http/problem'
import { clientAddressOf } from '@/lib/platform/http/serve'
import { receiveCardEvent } from '@/lib/selling/payments/receive-card-event'

const ADAPTERS = { sandbox: 'SANDBOX', stripe: 'STRIPE' } as const
const MAX_BYTES = 512 * 1024

/** The card providers' webhook. The response only confirms that the event was stored; a job handles it. */
export async function POST(request: Request, { params }: { params: Promise<{ adapter: string }> }): Promise<Response> {
  const requestId = randomUUID()
  try {
    const { adapter } = await params
    if (!(adapter === 'sandbox' || adapter === 'stripe')) throw notFound()
    if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES)
      throw new AppError('body_too_large', 'The event is larger than 512 KiB.')
    const body = await request.text()
    if (body.length > MAX_BYTES) throw new AppError('body_too_large', 'The event is larger than 512 KiB.')
    const ctx = cardWebhookContext({ requestId, clientAddress: clientAddressOf(request) })
    await receiveCardEvent(ctx, {
      adapter: ADAPTERS[adapter],
      body,
      signature: request.headers.get('stripe-signature') ?? '',
    })
    return Response.json({ received: true }, { headers: { 'request-id': requestId, 'cache-control': 'no-store' } })
  } catch (error) {
    const failure = asAppError(error)
    logFailure(failure, request, requestId)
    return problem(failure, requestId)
  }
}
