import { Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, within, type Context, type SystemContext } from '../../platform/auth/context.ts'
import { HOUR, secondsFrom } from '../../core/clock.ts'
import { dayOf } from '../../core/day.ts'
import { type Locale, localeOf } from '../../core/locales.ts'
import { mailboxOf } from '../../core/mailbox.ts'
import { withCollection } from '../../catalog/items/show-item.ts'
import { titleIn } from '../../catalog/items/translations.ts'
import { claimUrlOf } from '../../giving/claim-token.ts'
import type { LinkLine } from '../../messaging/templates/mail-variables.ts'
import { writeMail } from '../../messaging/outbox/write-mail.ts'
import { organizationNameOf } from '../../organizations/organization-name.ts'
import { findPurchaseSecret, purchaseUrlOf } from '../purchases/purchase-secret.ts'

const MOST_AN_HOUR = 3
/** The newest of each that a mail lists. */
const MOST_LISTED = 20

type MailboxClaim = { id: string; organizationId: string; locale: string | null }
/** `locale`: of whoever asked; null: of the newest claim or purchase that has one. */
type LinkRequest = { email: string; locale?: string | null | undefined }

/**
 * Mails the links of a mailbox's open claims and of its purchases to it, in one mail of the installation; none where
 * there is nothing, or where the mailbox got as many as it may in an hour. No link is made, replaced or unlocked: one
 * that is void is left out.
 */
export const mailLinks = (worker: SystemContext, { email, locale: asked }: LinkRequest): Promise<void> =>
  inTransaction(worker, async (tx) => {
    // One at a time, so that requests at once don't all count the same mails.
    await tx.sql(Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${`link mails ${email}`}, 0))::text`)
    const mailed = await tx.db.outboxMessage.count({
      where: { templateType: 'LINKS', toEmail: email, createdAt: { gt: secondsFrom(tx.now(), -HOUR) } },
    })
    if (mailed >= MOST_AN_HOUR) return
    const [claims, bought] = [await findClaims(tx, email), await findPurchases(tx, email)]
    const locale = localeOf(asked, ...[...claims, ...bought].map((found) => found.locale))
    const gifts = await linesOf(tx, locale, claims, giftsOf)
    const purchases = await linesOf(tx, locale, bought, purchasesOf)
    if (gifts.length === 0 && purchases.length === 0) return
    await writeMail(tx, {
      templateType: 'LINKS',
      to: email,
      locale,
      variables: { gifts, purchases, origin_host: new URL(tx.ports.addresses.recipients).host },
    })
  })

/** Not those of whom nothing may be claimed now, nor of organizations whose mail to this address is stopped. */
const findClaims = (tx: SystemContext, email: string) =>
  tx.sql<MailboxClaim>(Prisma.sql`
    SELECT c.id::text, c.organization_id::text AS "organizationId", c.locale FROM organizations o CROSS JOIN LATERAL (
        SELECT id, organization_id, collection_id, locale FROM email_claims
        WHERE organization_id = o.id AND email = ${email} AND state = 'OPEN'
          AND (expires_at IS NULL OR expires_at > ${tx.now().toISOString()}::timestamptz)
        ORDER BY id DESC LIMIT ${MOST_LISTED}::int) c
    WHERE NOT is_suspended(c.organization_id, c.collection_id) AND ${notStopped(email)}
    ORDER BY c.id DESC LIMIT ${MOST_LISTED}::int`)

/** Those that were paid or granted: anybody may open one in somebody's name. */
const findPurchases = (tx: SystemContext, email: string) =>
  tx.sql<MailboxClaim>(Prisma.sql`
    SELECT p.id::text, p.organization_id::text AS "organizationId", p.locale FROM organizations o CROSS JOIN LATERAL (
        SELECT id, organization_id, locale FROM purchase_intents
        WHERE organization_id = o.id AND buyer_mailbox = ${mailboxOf(email)} AND buyer_email = ${email}
          AND confirmed_at IS NOT NULL
        ORDER BY id DESC LIMIT ${MOST_LISTED}::int) p
    WHERE ${notStopped(email)}
    ORDER BY p.id DESC LIMIT ${MOST_LISTED}::int`)

const notStopped = (email: string) =>
  Prisma.sql`NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.organization_id = o.id AND s.email = ${email})`

type LinkSender = { organizationName: string; locale: Locale }

/** Reads what was found as each organization. */
async function linesOf(
  tx: SystemContext,
  locale: Locale,
  found: readonly MailboxClaim[],
  read: (ctx: Context, ids: string[], shown: LinkSender) => Promise<LinkLine[]>,
): Promise<LinkLine[]> {
  const lines: LinkLine[] = []
  for (const [organizationId, ofIt] of Map.groupBy(found, (each) => each.organizationId))
    lines.push(
      ...(await within(tx, organizationId, async (ctx) =>
        read(
          ctx,
          ofIt.map(({ id }) => id),
          { organizationName: await organizationNameOf(ctx), locale },
        ),
      )),
    )
  return lines
}

async function giftsOf(ctx: Context, ids: string[], { organizationName, locale }: LinkSender): Promise<LinkLine[]> {
  const claims = await ctx.db.emailClaim.findMany({
    where: { id: { in: ids } },
    orderBy: { id: 'desc' },
    include: {
      item: withCollection,
      tokens: { orderBy: { generation: 'desc' }, take: 1, select: { hash: true } },
    },
  })
  return claims.flatMap((claim) => {
    const url = claimUrlOf(ctx, claim)
    const until = claim.expiresAt && dayOf(claim.expiresAt, locale)
    return url === null
      ? []
      : [
          {
            title: titleIn(claim.item, locale),
            organization_name: organizationName,
            url,
            until,
            bought_on: null,
          },
        ]
  })
}

async function purchasesOf(ctx: Context, ids: string[], { organizationName, locale }: LinkSender): Promise<LinkLine[]> {
  const purchases = await ctx.db.purchaseIntent.findMany({
    where: { id: { in: ids } },
    orderBy: { id: 'desc' },
    include: { units: { include: { item: withCollection }, orderBy: { itemId: 'asc' } } },
  })
  return purchases.flatMap((purchase) => {
    const [unit] = purchase.units
    if (!unit || findPurchaseSecret(purchase) === null) return []
    return [
      {
        title: titleIn(unit.item, locale),
        organization_name: organizationName,
        url: purchaseUrlOf(ctx, purchase),
        until: null,
        bought_on: dayOf(purchase.createdAt, locale),
      },
    ]
  })
}
