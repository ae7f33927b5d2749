import type { Context } from '../platform/auth/context.ts'
import { emailOf } from '../platform/auth/sign-in.ts'
import { mailSignIn } from '../platform/jobs/jobs.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import { clientNetwork } from '../core/ip-address.ts'
import type { Locale } from '../core/locales.ts'

type Request = {
  email: string
  /** The path of the dashboard to open after signing in. */
  returnTo?: string | undefined
  /** Of whoever asks. */
  locale?: Locale | undefined
  /** Who asks: one client causes a bounded number of mails to people who are no members. */
  clientAddress?: string
}

/**
 * Asks for a sign-in link. A job looks the address up and mails, so that the same statements run for any address and
 * the answer takes the same time.
 */
export const askForSignIn = (
  ctx: Pick<Context, 'later' | 'requestId'>,
  { email, returnTo, locale, clientAddress = '' }: Request,
): Promise<void> =>
  enqueue(
    ctx,
    mailSignIn,
    { email: emailOf(email), return_to: returnTo, locale, client: clientNetwork(clientAddress) },
    { key: emailOf(email) },
  )
