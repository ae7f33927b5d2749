import { optIn } from '@/lib/messaging/opt-outs/opt-in'
import { optOut } from '@/lib/messaging/opt-outs/opt-out'
import { asAppError, logFailure, problem } from '@/lib/platform/http/problem'
import { readBodyText } from '@/lib/platform/http/request-body'
import { clientAddressOf, requestIdOf } from '@/lib/platform/http/serve'
import { readerOf } from '../reader'

type Route = { params: Promise<{ token: string }> }

const MAX_BODY_BYTES = 4096

/** Whoever opens the link decides on a page: mail scanners open links too. */
export async function GET(_request: Request, { params }: Route): Promise<Response> {
  const { token } = await params
  return seeOther(`/mails/${encodeURIComponent(token)}`)
}

/**
 * One click of a mail program (RFC 8058), without cookies, or the button of the page: `from=page`, and `undo=1` to get
 * mails again.
 */
export async function POST(request: Request, { params }: Route): Promise<Response> {
  const requestId = requestIdOf(request)
  try {
    const { token } = await params
    const form = new URLSearchParams(await readBodyText(request, MAX_BODY_BYTES))
    const reader = await readerOf(token, { requestId, clientAddress: clientAddressOf(request) })
    if (form.get('undo') === '1') await optIn(reader.ctx, reader.email)
    else await optOut(reader.ctx, reader)
    if (form.get('from') === 'page') return seeOther(`/mails/${encodeURIComponent(token)}`)
    return new Response('You won’t get such mails any more.', {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'request-id': requestId },
    })
  } catch (error) {
    const failure = asAppError(error)
    logFailure(failure, request, requestId)
    return problem(failure, requestId)
  }
}

const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
