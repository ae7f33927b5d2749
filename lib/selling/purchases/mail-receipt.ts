import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { amountOf } from '../../core/money.ts'
import { mailPictureOf } from '../../catalog/items/mail-picture-of.ts'
import { shownAttributesOf, titleOf, withCollection } from '../../catalog/items/show-item.ts'
import { writeMail } from '../../messaging/outbox/write-mail.ts'
import { findPurchaseSecret, purchaseUrlOf, secretColumnsOf } from './purchase-secret.ts'

/** Mails the receipt of what was paid, where the buyer gave a mailbox. */
export async function mailReceipt(tx: Context, intent: PurchaseIntent): Promise<void> {
  if (!intent.buyerEmail || intent.total.isZero()) return
  const [unit] = await tx.db.purchaseUnit.findMany({
    where: { intentId: intent.id },
    take: 1,
    include: { item: withCollection },
  })
  const listing = await tx.db.listing.findFirstOrThrow({ where: { id: intent.listingId }, include: { campaign: true } })
  const organization = await tx.db.organization.findFirstOrThrow({
    where: { id: intent.organizationId },
    select: { name: true },
  })
  if (!unit) return
  await writeMail(tx, {
    templateType: 'RECEIPT',
    to: intent.buyerEmail,
    campaignId: listing.campaignId,
    variables: {
      organization_name: organization.name,
      item_title: titleOf(shownAttributesOf(unit.item)),
      amount: amountOf(BigInt(intent.total.toFixed()), intent.currency, listing.currencyDecimals),
      quantity: intent.quantity > 1n ? intent.quantity.toString() : null,
      paid_on: (intent.confirmedAt ?? tx.now()).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      }),
      number: intent.id,
      status_url: await statusUrl(tx, intent),
      by_mail: intent.fulfillmentMethod === 'EMAIL' ? 'yes' : null,
      image_url: mailPictureOf(unit.item, tx.ports.addresses.origin),
      sender_name: listing.campaign?.emailFrom ?? null,
    },
  })
}

/** Where the purchase's secret is void because its server key isn't listed any more, a new one takes its place: the mail goes to the buyer alone. */
async function statusUrl(tx: Context, intent: PurchaseIntent): Promise<string> {
  if (findPurchaseSecret(intent) !== null) return purchaseUrlOf(tx, intent)
  const secretGeneration = intent.secretGeneration + 1
  const secret = { secretGeneration, ...secretColumnsOf({ id: intent.id, secretGeneration }) }
  await tx.db.purchaseIntent.updateMany({ where: { id: intent.id }, data: secret })
  return purchaseUrlOf(tx, { ...intent, ...secret })
}
