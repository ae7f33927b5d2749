import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { localeOf } from '../../core/locales.ts'
import { amountOf } from '../../core/money.ts'
import { mailPictureOf } from '../../catalog/items/mail-picture-of.ts'
import { withCollection } from '../../catalog/items/show-item.ts'
import { titleIn } from '../../catalog/items/translations.ts'
import { findPurchaseSecret, purchaseUrlOf, secretColumnsOf } from './purchase-secret.ts'

/**
 * The common part of all mails about a purchase's money; null where the buyer gave no mailbox, the purchase was free or
 * it has no units.
 */
export async function purchaseMailOf(tx: Context, intent: PurchaseIntent) {
  if (!intent.buyerEmail || intent.total.isZero()) return null
  const [unit] = await tx.db.purchaseUnit.findMany({
    where: { intentId: intent.id },
    take: 1,
    include: { item: withCollection },
  })
  const listing = await tx.db.listing.findFirstOrThrow({ where: { id: intent.listingId }, include: { campaign: true } })
  const organization = await tx.db.organization.findFirstOrThrow({
    where: { id: intent.organizationId },
    select: { name: true, locale: true },
  })
  if (!unit) return null
  const locale = localeOf(intent.locale, listing.campaign?.locale, organization.locale)
  return {
    to: intent.buyerEmail,
    campaignId: listing.campaignId,
    locale,
    amountOf: (minor: bigint) => amountOf(minor, intent.currency, listing.currencyDecimals, locale),
    variables: {
      organization_name: organization.name,
      item_title: titleIn(unit.item, locale),
      number: intent.id,
      status_url: await statusUrlOf(tx, intent),
      image_url: mailPictureOf(unit.item, tx.ports.addresses.origin),
      sender_name: listing.campaign?.emailFrom ?? null,
    },
  }
}

/**
 * The page of a purchase. Where its secret is void because its server key isn't listed any more, a new one takes its
 * place: the mail goes to the buyer alone.
 */
async function statusUrlOf(tx: Context, intent: PurchaseIntent): Promise<string> {
  if (findPurchaseSecret(intent) !== null) return purchaseUrlOf(tx, intent)
  const secretGeneration = intent.secretGeneration + 1
  const secret = { secretGeneration, ...secretColumnsOf({ id: intent.id, secretGeneration }) }
  await tx.db.purchaseIntent.updateMany({ where: { id: intent.id }, data: secret })
  return purchaseUrlOf(tx, { ...intent, ...secret })
}
