import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'

/**
 * Whether a purchase was paid can't be found out: its card account doesn't answer to us any more. Its units stay
 * reserved for it, and a person must look. Should the provider answer again, the purchase continues or ends.
 */
export async function paymentUnknown(
  tx: Context,
  intentId: string,
  { accountId, providerId }: { accountId: string; providerId: string },
): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status !== 'PENDING') return
  const reason = 'The card account was disconnected before it was known whether this was paid.'
  await advancePurchase(tx, intent, { status: 'UNRESOLVED' }, { failure: reason }, reason)
  await raiseAlarm(
    tx,
    'purchase_unresolved',
    intentId,
    `Whether purchase ${intentId} was paid is not known: its card account was disconnected. Its units stay held. ` +
      `Look for payment ${providerId} of account ${accountId} in the card provider’s dashboard.`,
  )
}
