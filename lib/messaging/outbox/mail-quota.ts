import type { Context } from '../../platform/auth/context.ts'
import { DAY, HOUR, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import type { TemplateType } from '../templates/mail-variables.ts'

/** The mails that recipients didn't ask for. PINs, receipts and the like follow from these. */
const COUNTED: readonly TemplateType[] = ['REDEEM_NFT', 'MEMBER_INVITE', 'TEST']

/** How many mails an organization that waits for approval has written in the last 24 hours; null for any other. */
export type MailQuota = { written: bigint | null }

/** Locked, so that mails written at once don't all count the same ones. */
const LOCK_NEWCOMER: Statement = {
  name: 'lock_newcomer',
  text: 'SELECT id FROM organizations WHERE id = $1::uuid AND newcomer_since IS NOT NULL FOR NO KEY UPDATE',
}

const READ_QUOTA: Statement = {
  name: 'mail_quota',
  text: `SELECT CASE WHEN newcomer_since IS NOT NULL THEN (SELECT count(*) FROM outbox_messages m
      WHERE m.organization_id = o.id AND m.template_type = ANY($2::text[])
        AND m.created_at > $3::timestamptz) END AS written
    FROM organizations o WHERE o.id = $1::uuid`,
}

/** The statements that lock and read an organization's quota. The second one answers with a `MailQuota`. */
export const quotaCalls = (organizationId: string, now: Date): [Call, Call] => [
  call(LOCK_NEWCOMER, organizationId),
  call(READ_QUOTA, organizationId, [...COUNTED], secondsFrom(now, -DAY).toISOString()),
]

/** Throws `rate_limited` when so many mails more would exceed the quota. */
export function assertWithinQuota({ written }: MailQuota, more: number): void {
  if (!isWithinQuota({ written }, more)) throw mailQuotaSpent()
}

export const isWithinQuota = ({ written }: MailQuota, more: number): boolean =>
  written === null || written + BigInt(more) <= BigInt(env.NEWCOMER_MAILS_PER_DAY)

export const mailQuotaSpent = () =>
  new AppError(
    'rate_limited',
    'Until whoever runs this installation has approved this organization, ' +
      `it may mail ${env.NEWCOMER_MAILS_PER_DAY} claims and invitations in 24 hours. They are used up.`,
    { retryAfterSeconds: HOUR },
  )

/**
 * Throws `rate_limited` when an organization that waits for approval would mail more than its quota of the last 24
 * hours.
 */
export async function spendMailQuota(
  tx: Context,
  orders: readonly { templateType: TemplateType; isFollowUp?: boolean }[],
): Promise<void> {
  const wanted = orders.filter(({ templateType, isFollowUp }) => COUNTED.includes(templateType) && !isFollowUp).length
  if (wanted === 0) return
  const [lock, read] = quotaCalls(tx.organizationId, tx.now())
  const newcomers = await tx.rows(lock.statement, ...lock.values)
  if (newcomers.length === 0) return
  const [quota] = await tx.rows<MailQuota>(read.statement, ...read.values)
  assertWithinQuota(quota!, wanted)
}
