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
export async function lockBuyer(tx: Context, terms: PurchaseTerms): Promise<void> {
  for (const key of buyerLocksOf([{ ctx: tx, terms }]))
    await tx.sql(Prisma.sql`SELECT pg_advisory_xact_lock(${key}::bigint)::text`)
}

/** The keys of these locks for purchases of one organization, in the order in which they are taken: first the buyers', then the clients'. */
export function buyerLocksOf(
  requests: readonly { ctx: Pick<Context, 'organizationId' | 'clientAddress'>; terms: PurchaseTerms }[],
): bigint[] {
  const buyers = new Set<string>()
  const clients = new Set<string>()
  for (const { ctx, terms } of requests) {
    const { provider, buyer } = terms
    const isUnpaid = UNPAID.includes(provider)
    if (isUnpaid && buyer.email) buyers.add(mailboxOf(buyer.email))
    if (isUnpaid && buyer.address) buyers.add(buyer.address)
    if (isUnpaid || asksUnderPressure()) clients.add(`client ${clientNetwork(ctx.clientAddress)}`)
  }
  const organizationId = requests[0]!.ctx.organizationId
  return [...[...buyers].sort(), ...[...clients].sort()].map((name) =>
    createHash('sha256').update(`vitrine buyer ${organizationId} ${name}`).digest().readBigInt64BE(),
  )
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
    throw tooManyOfBuyer()
  if (
    most.client > 0 &&
    tx.clientAddress &&
    (await tx.db.purchaseIntent.count({ where: { ...open, ...client, listingId } })) >= most.client
  )
    throw tooManyOfClient()
}

export const tooManyOfBuyer = () =>
  tooMany(`You have ${env.OPEN_INTENTS_PER_BUYER} purchases open that aren’t paid. Pay or give up one of them first.`)
export const tooManyOfClient = () =>
  tooMany('Too many purchases of this listing are open and unpaid from where you are. Try again in a while.')
const tooMany = (detail: string) => new AppError('rate_limited', detail, { retryAfterSeconds: 60 })
