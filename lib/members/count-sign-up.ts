import type { ModelsContext } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'
import { env } from '../core/env.ts'
import { newId } from '../core/id.ts'
import { mailboxOf } from '../core/mailbox.ts'
import type { Statement } from '../db/statements.ts'

const LOCK: Statement = { name: 'lock_sign_ups', text: 'LOCK TABLE sign_ups IN SHARE ROW EXCLUSIVE MODE' }

type Attempt = {
  email: string
  /** The network of whoever asks. */
  client: string
  /** The organization that was made; null for a mailed link. */
  organizationId?: string | null
}

/**
 * Records a mail to somebody who is no member, or an organization that was made; false, and nothing is recorded, when
 * the client had its share of these in the last 24 hours. Locks out others until the transaction ends.
 */
export async function countSignUp(
  tx: ModelsContext<'signUp'>,
  { email, client, organizationId = null }: Attempt,
): Promise<boolean> {
  await lockSignUps(tx)
  const earlier = await tx.db.signUp.count({
    where: {
      client,
      createdAt: { gt: secondsFrom(tx.now(), -DAY) },
      organizationId: organizationId === null ? null : { not: null },
    },
  })
  if (earlier >= env.SIGN_UPS_PER_CLIENT) return false
  const mailbox = mailboxOf(email)
  await tx.db.signUp.create({ data: { id: newId(), mailbox, client, organizationId, createdAt: tx.now() } })
  return true
}

/** Limits of sign-ups are counted by one at a time. The lock is taken with the next statement. */
export const lockSignUps = (tx: ModelsContext<'signUp'>): Promise<void> => tx.later(LOCK)
