import { beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { tokenStatusOf } from '../../lib/catalog/items/show-item.ts'
import { verifyBooks } from '../../lib/data/reconciliation/verify-books.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { asOwner } from '../support/as-owner.ts'
import { makeCollection } from '../support/chain-logs.ts'
import { newId } from '../../lib/core/id.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

const system = systemClient()
let collectionId: string
let itemId: string
beforeAll(async () => {
  const collection = await makeCollection(await makeOrganization(), { tokenType: 'ERC1155', items: 1, maxSupply: null })
  ;[collectionId, itemId] = [collection.id, collection.itemIds[0]!]
})

const readStates = () => system.item.findMany({ where: { collectionId } })
type Row = Awaited<ReturnType<typeof readStates>>[number]
const isFree = ({ lockedAt, minted, held }: Row): boolean => lockedAt !== null && minted === 0n && held === 0n
const findWrong = async () =>
  (await verifyBooks(systemContext('test'))).filter(({ check }) => check.startsWith('an item’s state'))

test('an item’s state is what its counters say, whatever a statement gives for it', async () => {
  // Each combination of counters, in a row that claims another state.
  await asOwner(`
    SET session_replication_role = replica; -- the counters have no holds
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, locked_at, held, minting, minted, burned, is_free, token_status, updated_at)
      SELECT gen_random_uuid(), organization_id, collection_id, '{}', CASE WHEN locked THEN (100 + row_number() OVER ())::text END, CASE WHEN locked THEN now() END,
        h, p, m, b, true, 'BURNED', now()
      FROM items, unnest('{t,f}'::bool[]) locked, generate_series(0, 2) h, generate_series(0, h) p, generate_series(0, 2) m, generate_series(0, m) b
      WHERE id = '${itemId}'`)
  const made = await readStates()
  expect(made).toHaveLength(1 + 2 * 6 * 6)
  for (const row of made) expect([row.isFree, row.tokenStatus]).toEqual([isFree(row), tokenStatusOf(row)])
  const changes = [
    'held = held + 1',
    'minting = held',
    'minted = minted + 1',
    'burned = minted',
    "is_free = NOT is_free, token_status = 'MINTING'",
    'minted = 0, held = 0, minting = 0',
  ]
  for (const change of changes) {
    await asOwner(
      `SET session_replication_role = replica; UPDATE items SET ${change} WHERE collection_id = '${collectionId}'`,
    )
    for (const row of await readStates())
      expect([change, row.isFree, row.tokenStatus]).toEqual([change, isFree(row), tokenStatusOf(row)])
  }
  await asOwner(
    `SET session_replication_role = replica; DELETE FROM items WHERE collection_id = '${collectionId}' AND id <> '${itemId}'`,
  )
  expect(await findWrong()).toEqual([])
})

test('verify names an item whose state isn’t that of its counters, and its next update puts it right', async () => {
  await asOwner(`
    ALTER TABLE items DISABLE TRIGGER set_item_state;
    UPDATE items SET is_free = NULL, token_status = 'MINTED' WHERE id = '${itemId}';
    ALTER TABLE items ENABLE ALWAYS TRIGGER set_item_state`)
  expect(await findWrong()).toMatchObject([
    { subject: itemId, detail: 'MINTED and not free; its counters say NOT_MINTED and free' },
  ])
  await system.$executeRaw(Prisma.sql`UPDATE items SET updated_at = now() WHERE id = ${itemId}::uuid`)
  expect(await findWrong()).toEqual([])
})

test('a claim has one live mint request, whichever statement writes the states, and verify compares them', async () => {
  const organization = await makeOrganization()
  const { ctx, id: organizationId } = organization
  const rows = await makeRows(organization)
  const make = (requestNumber: bigint) =>
    ctx.db.mintRequest.create({
      data: {
        id: newId(),
        organizationId,
        collectionId: rows.collection_id!,
        itemId: rows.item_id!,
        transactionId: rows.transaction_id!,
        claimId: rows.email_claim_id!,
        toAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        quantity: 1n,
        requestNumber,
      },
    })
  const first = await make(11n)
  await expect(make(12n)).rejects.toThrow(/[Uu]nique/)
  const write = (values: string) => asOwner(`UPDATE mint_requests SET ${values} WHERE id = '${first.id}'`)
  await write('is_live = false')
  await expect(make(12n)).rejects.toThrow(/[Uu]nique/)
  await write("state = 'FAILED'")
  const second = await make(12n)
  await expect(write("state = 'COMPLETED'")).rejects.toThrow('mint_requests_once_per_claim')
  await expect(write('is_live = true')).resolves.toBeUndefined()
  expect(await ctx.db.mintRequest.findMany({ where: { isLive: true, claimId: rows.email_claim_id! } })).toMatchObject([
    { id: second.id },
  ])
  const findLies = async () =>
    (await verifyBooks(systemContext('test'))).filter(
      ({ subject, check }) => subject === first.id && check.includes('live'),
    )
  expect(await findLies()).toEqual([])
  await asOwner(`
    ALTER TABLE mint_requests DISABLE TRIGGER set_live_mint;
    UPDATE mint_requests SET state = 'CANCELLED', is_live = false WHERE id = '${second.id}';
    UPDATE mint_requests SET is_live = true WHERE id = '${first.id}';
    ALTER TABLE mint_requests ENABLE ALWAYS TRIGGER set_live_mint`)
  expect(await findLies()).toMatchObject([{ detail: 'FAILED and live' }])
  await asOwner(`UPDATE mint_requests SET updated_at = now() WHERE id = '${first.id}'`)
  expect(await findLies()).toEqual([])
})
