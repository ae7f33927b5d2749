import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { unitsOf } from '../../messaging/templates/mail-words.ts'
import { writeMail } from '../../messaging/outbox/write-mail.ts'
import { purchaseMailOf } from './purchase-mail.ts'

/**
 * The money that was paid back. `units`: for how many units, where the others stay the buyer's. `toCard` false: the
 * seller paid in a way of their own.
 */
type Refund = { amountMinor: bigint; units?: bigint; toCard: boolean }

/**
 * Mails that money was paid back, where the buyer gave a mailbox. Call it once a refund is done, with the purchase as
 * it was before.
 */
export async function mailRefund(
  tx: Context,
  intent: PurchaseIntent,
  { amountMinor, units, toCard }: Refund,
): Promise<void> {
  const mail = amountMinor > 0n ? await purchaseMailOf(tx, intent) : null
  if (!mail) return
  const { amountOf, variables, ...address } = mail
  await writeMail(tx, {
    ...address,
    templateType: 'REFUND',
    variables: {
      ...variables,
      amount: amountOf(amountMinor),
      part: units === undefined ? null : unitsOf(units, intent.quantity, address.locale),
      // Of an unresolved purchase it says what kept the refund from being made.
      reason: intent.status === 'UNRESOLVED' ? null : intent.failure,
      to_card: toCard ? 'yes' : null,
    },
  })
}
