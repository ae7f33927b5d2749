import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { dayOf } from '../../core/day.ts'
import { writeMail } from '../../messaging/outbox/write-mail.ts'
import { purchaseMailOf } from './purchase-mail.ts'

/** Mails the receipt of what was paid, where the buyer gave a mailbox. */
export async function mailReceipt(tx: Context, intent: PurchaseIntent): Promise<void> {
  const mail = await purchaseMailOf(tx, intent)
  if (!mail) return
  const { amountOf, variables, ...address } = mail
  await writeMail(tx, {
    ...address,
    templateType: 'RECEIPT',
    variables: {
      ...variables,
      amount: amountOf(BigInt(intent.total.toFixed())),
      quantity: intent.quantity > 1n ? intent.quantity.toString() : null,
      paid_on: dayOf(intent.confirmedAt ?? tx.now(), address.locale),
      by_mail: intent.fulfillmentMethod === 'EMAIL' ? 'yes' : null,
    },
  })
}
