import type { OutboxMessage } from '../../../generated/prisma/client.ts'
import { DAY, HOUR, MINUTE } from '../../core/clock.ts'
import { seal, unseal } from '../../core/secrets.ts'
import type { TemplateType, TemplateVariables } from '../templates/mail-variables.ts'

export const PIN_MINUTES = 10

/**
 * After this long a mail is given up and its variables are deleted. What somebody waits for (`URGENT_MAIL`) is of no
 * use by then; any other mail is given up so long after its first try, however long it waited before: a mail server may
 * take days for a large campaign.
 */
export const MAIL_LIFETIME_SECONDS = {
  REDEEM_NFT: 3 * DAY,
  CLAIM_PINCODE: PIN_MINUTES * MINUTE,
  CLAIMED_NFT: 3 * DAY,
  RECEIPT: 3 * DAY,
  REFUND: 3 * DAY,
  CLAIM_REMINDER: 3 * DAY,
  SIGN_IN: HOUR,
  LINKS: HOUR,
  MEMBER_INVITE: 3 * DAY,
  TEST: HOUR,
  WEBHOOK_DISABLED: 3 * DAY,
  ALARM: 3 * DAY,
  PROTECTED_CHANGE: 3 * DAY,
  PASSKEY_CHANGE: 3 * DAY,
  SUSPENSION: 3 * DAY,
} as const satisfies Record<TemplateType, number>

/** Mails that somebody waits for. They leave before others. */
export const URGENT_MAIL: readonly TemplateType[] = ['CLAIM_PINCODE', 'SIGN_IN', 'LINKS', 'TEST']

/** The id of the request that a mail is due to, for questions about it. */
export const requestHeaders = (requestId: string | null): Record<string, string> =>
  requestId === null ? {} : { 'X-Request-Id': requestId }

export const sealVariables = (messageId: string, variables: object) =>
  new Uint8Array(seal('outbox', messageId, variables))

export const openVariables = <T extends TemplateType>(
  message: Pick<OutboxMessage, 'id'>,
  variables: Uint8Array,
): TemplateVariables[T] => unseal('outbox', message.id, variables)
