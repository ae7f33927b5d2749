import { MAX_FORM_BYTES } from '@/lib/platform/http/body-limits'
import { asAppError, problem } from '@/lib/platform/http/problem'
import { readBodyForm } from '@/lib/platform/http/request-body'
import { requestIdOf } from '@/lib/platform/http/serve'
import { completePaymentAuthentication } from '@/lib/ports/sandbox-cards/bank-page'

/** Takes the buyer's answer to 3-D Secure and redirects to where they paid. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ paymentId: string }> },
): Promise<Response> {
  const { paymentId } = await params
  let form: FormData
  try {
    form = await readBodyForm(request, MAX_FORM_BYTES)
  } catch (error) {
    return problem(asAppError(error), requestIdOf(request))
  }
  const token = String(form.get('token') ?? '')
  const answered = await completePaymentAuthentication(paymentId, token, form.get('answer') === 'yes')
  if (!answered)
    return new Response('There is nothing here by that address.', {
      status: 404,
      headers: { 'content-type': 'text/plain' },
    })
  const location =
    answered.returnUrl ??
    `/sandbox/cards/authenticate/${encodeURIComponent(paymentId)}?token=${encodeURIComponent(token)}`
  return new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}
