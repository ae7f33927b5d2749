import type { Input } from '../../platform/api/endpoint.ts'
import type { mailLinks as endpoint } from '../../platform/api/link-mails.ts'
import type { Context } from '../../platform/auth/context.ts'
import { linkRequestContext } from '../../platform/auth/narrow-contexts.ts'
import { limitDistinct } from '../../platform/http/limit-distinct.ts'
import { mailLinks } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { HOUR } from '../../core/clock.ts'
import { localeGiven } from '../../core/locale-given.ts'
import { clientNetwork } from '../../core/ip-address.ts'

/** How many mailboxes one client may ask about. */
const BY_CLIENT = { name: 'link-mails-by-client', most: 10, seconds: HOUR }

/**
 * Has the links of a mailbox mailed to it again. A job looks them up, so that the same statements run for any address
 * and the answer takes the same time. Throws `rate_limited`, whatever the mailbox.
 */
export async function askForLinks(
  anyone: Context,
  { email, locale: given }: Input<typeof endpoint>['body'],
): Promise<undefined> {
  const locale = localeGiven(given)
  await limitDistinct(BY_CLIENT, clientNetwork(anyone.clientAddress) || 'unknown', email)
  await enqueue(linkRequestContext(anyone), mailLinks, { email, locale }, { key: email })
  return undefined
}
