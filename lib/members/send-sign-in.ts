import { Prisma } from '../../generated/prisma/client.ts'
import { inTransaction, type SystemContext } from '../platform/auth/context.ts'
import { localesOf } from '../platform/auth/person.ts'
import { isMember, createSignInLink, maySignUp, SIGN_IN_SECONDS } from '../platform/auth/sign-in.ts'
import { HOUR, MINUTE, secondsFrom } from '../core/clock.ts'
import { env } from '../core/env.ts'
import { localeOf } from '../core/locales.ts'
import { writeMail } from '../messaging/outbox/write-mail.ts'
import { countSignUp } from './count-sign-up.ts'

type Request = {
  email: string
  returnTo?: string | undefined
  /** Of whoever asked. */
  locale?: string | undefined
  /** The network of whoever asked. */
  client?: string | undefined
}

/**
 * Mails a sign-in link if the address belongs to a member, or to anybody where people may sign up, and got less than
 * its limit in the last hour. It is in the language that the person chose, else in that of the browser that asked, else
 * in their organization's. One client causes a bounded number of mails to people who are no members. Earlier links stay
 * valid.
 */
export async function sendSignIn(
  worker: SystemContext,
  { email, returnTo, locale: asked, client = '' }: Request,
): Promise<void> {
  const isKnown = await isMember(email)
  if (!isKnown && !(await maySignUp(email))) return
  const { chosen, organizations } = await localesOf(email)
  await inTransaction(worker, async (tx) => {
    // One at a time, so that requests at once don't all count the same mails; countSignUp does so for those without a
    // row. It locks before the row of the person, as signUp does.
    if (!isKnown && !(await countSignUp(tx, { email, client }))) return
    await tx.sql(Prisma.sql`SELECT id FROM users WHERE email = ${email} FOR NO KEY UPDATE`)
    const mailed = await tx.db.outboxMessage.count({
      where: { templateType: 'SIGN_IN', toEmail: email, createdAt: { gt: secondsFrom(tx.now(), -HOUR) } },
    })
    if (env.SIGN_IN_MAILS > 0 && mailed >= env.SIGN_IN_MAILS) return
    const link = await createSignInLink(email, { lifetimeSeconds: SIGN_IN_SECONDS, returnTo, db: tx.db })
    const variables = {
      sign_in_url: link,
      origin_host: new URL(tx.ports.addresses.origin).host,
      minutes: String(SIGN_IN_SECONDS / MINUTE),
    }
    await writeMail(tx, {
      templateType: 'SIGN_IN',
      to: email,
      locale: localeOf(chosen, asked, ...organizations),
      variables,
    })
  })
}
