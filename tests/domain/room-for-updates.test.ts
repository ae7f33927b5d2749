import { beforeAll, expect, test } from 'vitest'
import { writeMail } from '../../lib/messaging/outbox/write-mail.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { systemClient } from '../../lib/db/client.ts'
import { newId } from '../../lib/core/id.ts'
import { advanceMints } from '../../lib/onchain/mints/advance-mint.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type AnyContext, inTransaction } from '../../lib/platform/auth/context.ts'
import { resizeHold } from '../../lib/stock/advance-hold.ts'
import { holdUnits } from '../../lib/stock/hold-units.ts'
import {
  makeAddress,
  makeCollection,
  makeSubmittedMint,
  makeTransfer1155,
  makeTransfer721,
  ZERO_ADDRESS,
} from '../support/chain-logs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

/** What hot rows are updated by most. */
const UPDATES = [
  ['email_claims', 'wrong_pins = wrong_pins + 1, link_wrong_pins = link_wrong_pins + 1, updated_at = now()'],
  ['outbox_messages', 'attempts = attempts + 1'],
  ['listings', 'quantity_confirmed = quantity_confirmed, updated_at = now()'],
  ['collections', 'next_request_id = next_request_id + 1'],
  ['imports', 'done_count = done_count + 1'],
] as const

let mine: TestOrganization
beforeAll(async () => {
  mine = await makeOrganization()
  await makeRows(mine)
  await writeMail(mine.ctx, {
    templateType: 'WEBHOOK_DISABLED',
    to: `${newId()}@example.com`,
    variables: {
      organization_name: 'Test gallery',
      webhook_name: 'Stock',
      webhook_url: 'https://example.com',
      reason: 'It failed for days.',
      dashboard_url: 'https://example.com',
    },
  })
})

test.each(UPDATES)('an update of what changes often in %s writes no index', async (table, changes) => {
  const counted = await systemClient().$transaction(async (tx) => {
    const changed = await tx.$executeRawUnsafe(
      `UPDATE ${table} SET ${changes} WHERE id IN (SELECT id FROM ${table} WHERE organization_id = $1::uuid LIMIT 1)`,
      mine.id,
    )
    const [counts] = await tx.$queryRawUnsafe<{ updates: bigint; hot: bigint }[]>(
      `SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_xact_user_tables WHERE relid = '${table}'::regclass`,
    )
    return { changed, ...counts! }
  })
  expect(counted).toEqual({ changed: 1, updates: 1n, hot: 1n })
})

test('the answer of a request is stored in the row of its key without writing an index', async () => {
  const key = newId()
  const counted = await systemClient().$transaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO idempotency_records (scope, key, body_hash, lease_id, lease_ends, created_at)
      VALUES (${mine.id}, ${key}, ''::bytea, gen_random_uuid(), now(), now())`
    await tx.$executeRaw`
      UPDATE idempotency_records SET status = 201, answer = decode(repeat('ab', 1000), 'hex') WHERE scope = ${mine.id} AND key = ${key}`
    return tx.$queryRaw`SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_xact_user_tables WHERE relname = 'idempotency_records'`
  })
  expect(counted).toEqual([{ updates: 1n, hot: 1n }])
})

/** How many updates of a table this work makes in a transaction. `indexed`: those that write its indexes. */
async function updatesOf(
  table: string,
  tx: AnyContext,
  work: () => Promise<unknown>,
): Promise<{ updates: number; indexed: number }> {
  const read = async () => {
    const [row] = await tx.sql<{ updates: number; indexed: number }>(Prisma.sql`
      SELECT n_tup_upd::int AS updates, (n_tup_upd - n_tup_hot_upd)::int AS indexed FROM pg_stat_xact_user_tables WHERE relname = ${table}`)
    return row!
  }
  const before = await read() // of earlier transactions that weren't reported yet
  await work()
  const { updates, indexed } = await read()
  return { updates: updates - before.updates, indexed: indexed - before.indexed }
}

test('units of an edition are promised and taken back without writing an index of its item', async () => {
  const { id, itemIds } = await makeCollection(mine, { tokenType: 'ERC1155', items: 1, maxSupply: 100n })
  const units = { collectionId: id, itemId: itemIds[0]!, quantity: 2n }
  const listing = { type: 'LISTING', id: newId() } as const
  await inTransaction(mine.ctx, (tx) => holdUnits(tx, listing, { ...units, quantity: 50n }))
  const updates = await inTransaction(mine.ctx, (tx) =>
    updatesOf('items', tx, async () => {
      await resizeHold(tx, listing, -2n)
      await holdUnits(tx, { type: 'PURCHASE', id: newId() }, units)
      await holdUnits(tx, { type: 'CLAIM', id: newId() }, units)
    }),
  )
  expect(updates).toEqual({ updates: 3, indexed: 0 })
})

test('a mint of an edition writes no index of its item, and one of a single token writes them once', async () => {
  const edition = await makeCollection(mine, { tokenType: 'ERC1155', items: 1, maxSupply: 100n })
  const single = await makeCollection(mine, { items: 1 })
  const to = makeAddress(1)
  const mintOf = async (collection: typeof edition, log: Parameters<typeof projectLogs>[1][number], tx: string) => {
    await makeSubmittedMint(mine, collection, { itemId: collection.itemIds[0]!, to, tx })
    return inTransaction(systemContext('test'), (context) =>
      updatesOf('items', context, () => projectLogs(context, [log])),
    )
  }
  const units = (tx: string, block: number) => makeTransfer1155(edition, { block, tx }, ZERO_ADDRESS, to, [1n], [1n])
  expect(await mintOf(edition, units('first', 5), 'first')).toMatchObject({ indexed: 1 })
  expect(await mintOf(edition, units('second', 6), 'second')).toEqual({ updates: 2, indexed: 0 })
  const token = makeTransfer721(single, { block: 7, tx: 'token' }, ZERO_ADDRESS, to, 1n)
  expect(await mintOf(single, token, 'token')).toEqual({ updates: 2, indexed: 1 })
})

test('a step of a hundred mints writes the indexes of few of their requests', async () => {
  const { id, itemIds } = await makeCollection(mine, { tokenType: 'ERC1155', items: 1, maxSupply: null })
  const of = { organizationId: mine.id, collectionId: id }
  const { id: transactionId } = await mine.ctx.db.transaction.create({
    data: { id: newId(), ...of, networkId: 31337, txType: 'ADMIN_MINT' },
  })
  const mints = Array.from({ length: 100 }, () => ({
    id: newId(),
    claimId: null,
    purchaseIntentId: null,
    escrowId: null,
  }))
  await mine.ctx.db.mintRequest.createMany({
    data: mints.map((mint, at) => ({
      ...mint,
      ...of,
      itemId: itemIds[0]!,
      transactionId,
      toAddress: makeAddress(1),
      quantity: 1n,
      requestNumber: BigInt(at + 1),
    })),
  })
  const advanced = await inTransaction(mine.ctx, (tx) =>
    updatesOf('mint_requests', tx, () =>
      advanceMints(
        tx,
        mints.map((mint) => ({ ...mint, state: 'WAITING' as const })),
        'SUBMITTED',
        { txHash: `0x${'ab'.repeat(32)}` },
      ),
    ),
  )
  expect(advanced.updates).toBe(100)
  // The hash of the transaction makes them longer, so that not all fit on their page.
  expect(advanced.indexed).toBeLessThanOrEqual(25)
})
