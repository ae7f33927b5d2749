import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { SNIPPETS } from '../../components/dashboard/webhooks/webhook-snippets.ts'
import type { EmailClaim, PurchaseIntent } from '../../generated/prisma/client.ts'
import { EVENT_TYPES, EVENTS, type EventType } from '../../lib/platform/api/events.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { claimEventOf } from '../../lib/giving/claim-event.ts'
import { recordDeployed } from '../../lib/catalog/collections/advance-deployment.ts'
import { newId } from '../../lib/core/id.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { cancelListing } from '../../lib/offers/listings/cancel-listing.ts'
import { purchaseEventOf } from '../../lib/selling/purchases/purchase-event.ts'
import { makeCollection, ZERO_ADDRESS, makeAddress, makeTransfer721 } from '../support/chain-logs.ts'
import { installFakeChain, sendClaim } from '../support/claims.ts'
import { makeListing } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
})

/** Names and types of an event's fields; null matches any type. */
const shapeOf = (data: object) =>
  Object.entries(data).map(
    ([name, value]) => [name, value === null ? 'any' : Array.isArray(value) ? 'list' : typeof value] as const,
  )
function expectShape(data: object, type: EventType) {
  const shape = shapeOf(data)
  const documented = shapeOf(EVENTS[type].data)
  expect(shape.map(([name]) => name).sort(), type).toEqual(documented.map(([name]) => name).sort())
  const kinds = new Map(documented)
  for (const [name, kind] of shape)
    if (kind !== 'any' && kinds.get(name) !== 'any') expect([name, kind], type).toEqual([name, kinds.get(name)])
}
const newest = async (type: EventType) =>
  (await mine.ctx.db.event.findFirstOrThrow({ where: { type }, orderBy: { id: 'desc' } })).data as object

describe('event data matches its documentation', () => {
  test('token transfers match theirs', async () => {
    const collection = await makeCollection(mine)
    const logs = [
      makeTransfer721(collection, { block: 1, index: 1 }, ZERO_ADDRESS, makeAddress(1), 1n),
      makeTransfer721(collection, { block: 2, index: 1 }, makeAddress(1), makeAddress(2), 1n),
      makeTransfer721(collection, { block: 3, index: 1 }, makeAddress(2), ZERO_ADDRESS, 1n),
    ]
    await inTransaction(systemContext(), (tx) => projectLogs(tx, logs))
    for (const type of ['item.minted', 'item.transferred', 'item.burned'] as const)
      expectShape(await newest(type), type)
  })

  test('listings match theirs', async () => {
    const { id } = await makeListing(mine)
    await cancelListing(mine.ctx, id)
    for (const type of ['listing.created', 'listing.cancelled'] as const) expectShape(await newest(type), type)
    expectShape(await newest('listing.created'), 'listing.completed')
  })

  test('claims match theirs', async () => {
    const { id, itemId } = await sendClaim(mine)
    expectShape(await newest('claim.created'), 'claim.created')
    const claim = await mine.ctx.db.emailClaim.findFirstOrThrow({ where: { id }, include: { item: true } })
    const eventData = (more: object) =>
      JSON.parse(
        JSON.stringify(claimEventOf(claim as EmailClaim & { item: typeof claim.item }, more), (_, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        ),
      ) as object
    expectShape(eventData({ to_address: makeAddress(1), mint_request_id: itemId }), 'claim.redeemed')
    expectShape(eventData({ to_address: makeAddress(1), tx_hash: '0x01' }), 'claim.delivered')
  })

  test('purchases match theirs', () => {
    const intent = {
      id: newId(),
      listingId: newId(),
      provider: 'CARD_PROVIDER',
      mode: 'LIVE',
      quantity: '1',
      total: { toFixed: () => '1999' },
      currency: 'EUR',
      buyerEmail: 'ada@example.com',
      buyerAddress: null,
    } as unknown as PurchaseIntent
    for (const type of ['purchase.confirmed', 'purchase.refunded'] as const) expectShape(purchaseEventOf(intent), type)
    expectShape(purchaseEventOf(intent, { item_ids: [newId()] }), 'purchase.fulfilled')
  })

  test('deployments match theirs', async () => {
    const { id } = await makeCollection(mine)
    const row = await mine.ctx.db.collection.findFirstOrThrow({ where: { id } })
    await inTransaction(mine.ctx, (tx) => recordDeployed(tx, row))
    expectShape(await newest('collection.deployed'), 'collection.deployed')
  })
})

test('docs/webhooks.md lists every event with all its fields and an example, and the dashboard’s verification snippets', () => {
  const docs = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  for (const type of EVENT_TYPES) {
    const line = docs.split('\n').find((row) => row.startsWith(`| \`${type}\` |`))
    expect(line, type).toContain(EVENTS[type].when)
    for (const name of Object.keys(EVENTS[type].data)) expect(line, type).toContain(`\`${name}\``)
    const example = `### ${type}\n\n\`\`\`json\n${JSON.stringify(EVENTS[type].data, null, 2)}\n\`\`\`\n`
    expect(docs, type).toContain(example)
  }
  for (const snippet of Object.values(SNIPPETS)) expect(docs).toContain(snippet)
})
