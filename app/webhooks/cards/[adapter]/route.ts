import { cardEventContext } from '@/lib/platform/auth/narrow-contexts'
import { notFound } from '@/lib/core/errors'
import { MAX_CARD_EVENT_BYTES } from '@/lib/platform/http/body-limits'
import { asAppError, logFailure, problem } from '@/lib/platform/http/problem'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { readBodyText } from '@/lib/platform/http/request-body'
import { clientAddressOf, requestIdOf } from '@/lib/platform/http/serve'
import { receiveCardEvent } from '@/lib/selling/payments/receive-card-event'

const ADAPTERS = { sandbox: 'SANDBOX', stripe: 'STRIPE' } as const
/** The card providers' webhook. The response only confirms that the event was stored; a job handles it. */
export async function POST(request: Request, { params }: { params: Promise<{ adapter: string }> }): Promise<Response> {
  const requestId = requestIdOf(request)
  try {
    const { adapter } = await params
    if (!(adapter === 'sandbox' || adapter === 'stripe')) throw notFound()
    const clientAddress = clientAddressOf(request)
    await countRequest('card-webhooks', clientAddress)
    const body = await readBodyText(request, MAX_CARD_EVENT_BYTES)
    const ctx = cardEventContext({ requestId, clientAddress })
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
