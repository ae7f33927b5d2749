import { beforeAll, beforeEach } from 'vitest'
import type { Listing, PurchaseIntent } from '../../generated/prisma/client.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { resetClock } from '../../lib/core/clock.ts'
import type { Buyer } from '../../lib/offers/listings/buyer-units.ts'
import { confirmUnits, type ItemUnits, returnUnits } from '../../lib/offers/listings/units.ts'
import { reserveOne } from '../../lib/selling/purchases/reserve-alone.ts'
import { makeRandomAddress, installFakeChain } from './claims.ts'
import { makeOrganization, type TestOrganization } from './organization.ts'

// What the tests of a file share; `setUpListings` fills it.
export let organization: TestOrganization

/** Prepares an organization on a chain that only answers. */
export function setUpListings(): void {
  beforeAll(async () => {
    installFakeChain()
    organization = await makeOrganization()
  })
  beforeEach(resetClock)
}

export const listingRow = (id: string) => organization.ctx.db.listing.findFirstOrThrow({ where: { id } })
const holdOf = async (id: string) =>
  (await organization.ctx.db.hold.findFirst({ where: { holderType: 'LISTING', holderId: id, state: 'HELD' } }))
    ?.quantity ?? null

export const itemRow = (id: string) => organization.ctx.db.item.findFirstOrThrow({ where: { id } })
export const counters = async (id: string) => {
  const { quantityOpen, quantityConfirmed, status } = await listingRow(id)
  return [status, quantityOpen, quantityConfirmed, await holdOf(id)]
}

export const code = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: { code: string }) => error.code,
  )

type Taken = Pick<PurchaseIntent, 'id' | 'listingId' | 'quantity' | 'buyerMailbox' | 'buyerAddress'> & {
  units: ItemUnits[]
}

/** Reserves units of the listing for a new purchase whose payment isn't opened. */
export async function buy(
  { id }: Listing,
  { quantity = 1n, buyer = { address: makeRandomAddress() } as Buyer } = {},
): Promise<Taken> {
  const ctx = { ...organization.ctx, clientAddress: '192.0.2.1' }
  const order = {
    ctx,
    terms: {
      provider: 'CARD_PROVIDER' as const,
      method: 'TRANSFER' as const,
      quantity,
      buyer: { email: null, address: null, ...buyer },
    },
    ...{ origin: null, locale: null, proof: null, secret: null },
  }
  const reserved = await inTransaction(ctx, (tx) => reserveOne(tx, id, order))
  if (reserved.is === 'found') throw new Error('Another purchase was found.')
  const { intent, units } = reserved.sale
  return { ...intent, units: units.map((unit) => ({ itemId: unit.item.id, quantity: unit.quantity })) }
}

export const giveBack = (taken: Taken, from: 'open' | 'confirmed' = 'open') =>
  inTransaction(organization.ctx, async (tx) => {
    await tx.db.purchaseIntent.updateMany({ where: { id: taken.id }, data: { unitsState: 'RETURNED' } })
    await returnUnits(tx, taken, { from })
  })

export const confirm = (taken: Taken) =>
  inTransaction(organization.ctx, (tx) => confirmUnits(tx, taken, { limited: true }))
