import type { OutboxMessage } from '../../../generated/prisma/client.ts'
import { DAY, HOUR, MINUTE } from '../../core/clock.ts'
import { seal, unseal } from '../../core/secrets.ts'
import type { TemplateType, TemplateVariables } from '../templates/templates.ts'

export const PIN_MINUTES = 10

/** How long a mail may wait to be sent. After that it is given up and its variables are deleted. */
export const MAIL_LIFETIME_SECONDS = {
  REDEEM_NFT: DAY,
  CLAIM_PINCODE: PIN_MINUTES * MINUTE,
  CLAIMED_NFT: DAY,
  RECEIPT: 3 * DAY,
  CLAIM_REMINDER: DAY,
  SIGN_IN: HOUR,
  MEMBER_INVITE: 3 * DAY,
  TEST: HOUR,
  WEBHOOK_DISABLED: 3 * DAY,
  ALARM: 3 * DAY,
  PROTECTED_CHANGE: 3 * DAY,
  PASSKEY_CHANGE: 3 * DAY,
  SUSPENSION: 3 * DAY,
} as const satisfies Record<TemplateType, number>

/** Mails that somebody waits for. They leave before others. */
export const URGENT_MAIL: readonly TemplateType[] = ['CLAIM_PINCODE', 'SIGN_IN', 'TEST']

export const sealVariables = (messageId: string, variables: object) =>
  new Uint8Array(seal('outbox', messageId, variables))

export const openVariables = <T extends TemplateType>(
  message: Pick<OutboxMessage, 'id'>,
  variables: Uint8Array,
): TemplateVariables[T] => unseal('outbox', message.id, variables)
