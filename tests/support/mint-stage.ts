import { afterEach, beforeAll } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { requestMint } from '../../lib/onchain/mints/request-mint.ts'
import { callerOf } from './call.ts'
import { makeRandomAddress, makeItem, installFakeChain } from './claims.ts'
import { makeOrganization, type TestOrganization } from './organization.ts'

// What the tests of a file share; `setUpMints` fills it.
export let organization: TestOrganization
export let api: ReturnType<typeof callerOf>

/** Prepares an organization on a chain that only answers. */
export function setUpMints(): void {
  beforeAll(async () => {
    installFakeChain()
    organization = await makeOrganization()
    api = callerOf(organization.key)
  })
  afterEach(() => {
    env.GAS_BUDGET_GWEI = '0'
  })
}

/** A deployed collection with `count` locked items, written to the database directly. */
export async function makeLockedItems(count: number, stock: Parameters<typeof makeItem>[1] = {}, of = organization) {
  const { collectionId, itemId } = await makeItem(of, stock)
  const { ctx, id: organizationId } = of
  const more = Array.from({ length: count - 1 }, (_, at) => ({
    id: newId(),
    organizationId,
    collectionId,
    attributes: { title: `No. ${at + 2}` },
    tokenId: String(at + 2),
    lockedAt: new Date(),
    maxSupply: 1n,
  }))
  await ctx.db.item.createMany({ data: more })
  return { collectionId, itemIds: [itemId, ...more.map(({ id }) => id)] }
}

export const mint = (collectionId: string, itemId: string) =>
  requestMint(organization.ctx, { collectionId, itemId, quantity: 1n, toAddress: makeRandomAddress(), hold: 'take' })

export const transactionsOf = (collectionId: string) =>
  organization.ctx.db.transaction.findMany({
    where: { collectionId },
    include: { mintRequests: true },
    orderBy: { id: 'asc' },
  })

/** The transaction that a mint request rides on. */
export const carrierOf = async (id: string): Promise<string> =>
  (await organization.ctx.db.mintRequest.findFirstOrThrow({ where: { id }, select: { transactionId: true } }))
    .transactionId
