import { mailWebhookContext } from '@/lib/platform/auth/mail-contexts'
import { AppError } from '@/lib/core/errors'
import { receiveMailEvent } from '@/lib/messaging/email-integrations/receive-mail-event'
import { MAX_MAIL_EVENT_BYTES } from '@/lib/platform/http/body-limits'
import { readBodyText } from '@/lib/platform/http/request-body'
import { asAppError, logFailure, problem } from '@/lib/platform/http/problem'
import { clientAddressOf, requestIdOf } from '@/lib/platform/http/serve'

/** Mailgun's webhook for the mails of an organization. The response only confirms that the event was understood. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ integration_id: string }> },
): Promise<Response> {
  const requestId = requestIdOf(request)
  try {
    const { integration_id: integrationId } = await params
    const ctx = await mailWebhookContext(integrationId, { requestId, clientAddress: clientAddressOf(request) })
    await receiveMailEvent(ctx, { integrationId, body: jsonOf(await readBodyText(request, MAX_MAIL_EVENT_BYTES)) })
    return Response.json({ received: true }, { headers: { 'request-id': requestId, 'cache-control': 'no-store' } })
  } catch (error) {
    const failure = asAppError(error)
    logFailure(failure, request, requestId)
    return problem(failure, requestId)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid_request', 'The event is not valid JSON.')
  }
}
