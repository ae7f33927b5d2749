import { createHash } from 'node:crypto'
import { Prisma, type PaymentProvider } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { mailboxOf } from '../../core/mailbox.ts'
import { asksUnderPressure } from './proof.ts'
import type { PurchaseTerms } from './purchase-terms.ts'

const UNPAID: readonly PaymentProvider[] = ['CARD_PROVIDER', 'MINT_VOUCHER']

/**
 * Makes requests of the same buyer for unpaid purchases, and those of the same client, wait for each other until the transaction ends.
 */
export async function lockBuyer(tx: Context, { provider, buyer }: PurchaseTerms): Promise<void> {
  const isUnpaid = UNPAID.includes(provider)
  const identities = [buyer.email && mailboxOf(buyer.email), buyer.address].filter((identity) => identity !== null)
  const names = [
    ...(isUnpaid ? identities.sort() : []),
    ...(isUnpaid || asksUnderPressure() ? [`client ${clientNetwork(tx.clientAddress)}`] : []),
  ]
  for (const name of names) {
    const key = createHash('sha256').update(`vitrine buyer ${tx.organizationId} ${name}`).digest().readBigInt64BE()
    await tx.sql(Prisma.sql`SELECT pg_advisory_xact_lock(${key}::bigint)::text`)
  }
}

/**
 * Limits open unpaid purchases. Those in a buyer's name count for the buyer where this client made them, or where the buyer has
 * proved the address; what others open in somebody's name counts for their own client alone. The caller has locked both (`lockBuyer`).
 */
export async function assertFewOpen(tx: Context, listingId: string, { provider, buyer }: PurchaseTerms): Promise<void> {
  if (!UNPAID.includes(provider)) return
  const most = { buyer: env.OPEN_INTENTS_PER_BUYER, client: env.OPEN_INTENTS_PER_CLIENT }
  const open = { status: 'PENDING' as const }
  const client = { clientNetwork: clientNetwork(tx.clientAddress) }
  const isBuyer = {
    OR: [
      ...(buyer.email ? [{ buyerMailbox: mailboxOf(buyer.email) }] : []),
      ...(buyer.address ? [{ buyerAddress: buyer.address }] : []),
    ],
  }
  const counts = { AND: [isBuyer, { OR: [client, { buyerProved: true }] }] }
  if (most.buyer > 0 && (await tx.db.purchaseIntent.count({ where: { ...open, ...counts } })) >= most.buyer)
    throw tooMany(`You have ${most.buyer} purchases open that aren’t paid. Pay or give up one of them first.`)
  if (
    most.client > 0 &&
    tx.clientAddress &&
    (await tx.db.purchaseIntent.count({ where: { ...open, ...client, listingId } })) >= most.client
  )
    throw tooMany('Too many purchases of this listing are open and unpaid from where you are. Try again in a while.')
}

const tooMany = (detail: string) => new AppError('rate_limited', detail, { retryAfterSeconds: 60 })
