import { createHash } from 'node:crypto'
import type { PaymentProvider } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { mailboxOf } from '../../core/mailbox.ts'
import { asksUnderPressure } from './read-clients.ts'
import type { PurchaseTerms } from './purchase-terms.ts'

const UNPAID: readonly PaymentProvider[] = ['CARD_PROVIDER', 'MINT_VOUCHER']

/** Whether its units are held before anything is paid. */
export const isUnpaid = ({ terms }: { terms: Pick<PurchaseTerms, 'provider'> }): boolean =>
  UNPAID.includes(terms.provider)

/**
 * The keys of the locks by which requests of the same buyer for unpaid purchases, and those of the same client, wait
 * for each other until the transaction ends. They are of one organization, in the order in which they are taken: first
 * the buyers', then the clients'.
 */
export function buyerLocksOf(
  requests: readonly { ctx: Pick<Context, 'organizationId' | 'clientAddress'>; terms: PurchaseTerms }[],
): bigint[] {
  const buyers = new Set<string>()
  const clients = new Set<string>()
  for (const request of requests) {
    const { buyer } = request.terms
    if (isUnpaid(request) && buyer.email) buyers.add(mailboxOf(buyer.email))
    if (isUnpaid(request) && buyer.address) buyers.add(buyer.address)
    if (isUnpaid(request) || asksUnderPressure()) clients.add(`client ${clientNetwork(request.ctx.clientAddress)}`)
  }
  const organizationId = requests[0]!.ctx.organizationId
  return [...[...buyers].sort(), ...[...clients].sort()].map((name) =>
    createHash('sha256').update(`vitrine buyer ${organizationId} ${name}`).digest().readBigInt64BE(),
  )
}

/**
 * Throws `purchases_open` for as many as a buyer may have. They are given by when they end. Those in a buyer's name
 * count for the buyer where this client made them, or where the buyer has proved the address; what others open in
 * somebody's name counts for their own client alone.
 */
export function assertFewOfBuyer(open: readonly Date[]): void {
  const most = env.OPEN_INTENTS_PER_BUYER
  if (most > 0 && open.length >= most)
    throw purchasesOpen(`You have ${most} purchases open that aren’t paid. Pay or give up one of them first.`, open)
}

/** Throws `purchases_open` for as many as a client may have at one listing. They are given by when they end. */
export function assertFewOfClient(open: readonly Date[]): void {
  const most = env.OPEN_INTENTS_PER_CLIENT
  if (most > 0 && open.length >= most)
    throw purchasesOpen(
      'Too many purchases of this listing are open and unpaid from where you are. Pay or give up one of them first.',
      open,
    )
}

/** It has no Retry-After: paying or giving up one of them helps at once, and waiting only when one ends. */
const purchasesOpen = (detail: string, open: readonly Date[]) =>
  new AppError('purchases_open', detail, {
    extra: {
      open_purchases: open
        .toSorted((a, b) => a.getTime() - b.getTime())
        .map((expiresAt) => ({ expires_at: expiresAt.toISOString() })),
    },
  })
