import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { adoptTokens } from '../../lib/onchain/indexer/adopt-tokens.ts'
import { type MatchPlace, matchMoves } from '../../lib/onchain/indexer/match-moves.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { undoLogsAbove } from '../../lib/onchain/indexer/undo-logs.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'
import { ports } from '../../lib/ports/ports.ts'
import {
  makeAddress,
  makeCollection,
  makeTransfer1155,
  makeTransfer721,
  makeVoucherRedeemed,
  ZERO_ADDRESS,
} from '../support/chain-logs.ts'
import { asOwner } from '../support/as-owner.ts'
import { installFakeChain } from '../support/claims.ts'
import { readStatistic } from '../support/statistics.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeVoucherCancelled } from '../support/voucher-rows.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Thousands of mints and vouchers are written past the triggers.')

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const ROWS = 20_000
const HEAD = 1_000_000n
const NETWORK = { id: 31337, confirmations: 1 }
const worker = systemContext('test')
let organization: TestOrganization

beforeAll(async () => {
  installFakeChain().head = HEAD
  organization = await makeOrganization()
  await worker.db.chainCursor.create({ data: { networkId: 31337, number: HEAD } })
})
afterEach(() => worker.sql(Prisma.sql`TRUNCATE item_history`).catch(() => undefined))

/** History of a collection: mints of the token ids 1 to `count`, with an item or without. */
const insertHistory = (
  collection: { id: string },
  count: number,
  itemId: string | null,
  { id: owner }: { id: string } = organization,
) =>
  worker.sql(Prisma.sql`
    INSERT INTO item_history (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address, to_address, network_id, tx_hash,
      block_number, log_index, part, timestamp)
    SELECT gen_random_uuid(), ${owner}::uuid, ${collection.id}::uuid, ${itemId}::uuid, n::text, 'MINT', 1, ${ZERO_ADDRESS}, ${makeAddress(1)}, 31337,
      'tx ' || ${collection.id} || n, n, 0, 0, now()
    FROM generate_series(1, ${count}::int) n`)

const TABLES = [
  'listings',
  'collections',
  'item_history',
  'items',
  'holds',
  'vouchers',
  'chain_logs',
  'item_owners',
  'voucher_facts',
]

/** Rows that PostgreSQL has read by scanning whole tables. */
const countScannedRows = () =>
  readStatistic(
    `SELECT sum(seq_tup_read) AS value FROM pg_stat_user_tables WHERE relname IN (${TABLES.map((name) => `'${name}'`).join(', ')})`,
  )

test('no statement of a round scans a table, however much history, items, holds and vouchers there are', async () => {
  const full = await makeCollection(organization, { tokenType: 'ERC1155', items: 1, maxSupply: null })
  const small = await makeCollection(organization)
  const own = `'${organization.id}'::uuid, '${full.id}'::uuid`
  // Without triggers, which would take minutes for as many rows.
  await asOwner(`
    SET session_replication_role = replica;
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, locked_at, updated_at)
    SELECT gen_random_uuid(), ${own}, '{}', (n + 10)::text, now(), now() FROM generate_series(1, ${ROWS}) n;
    INSERT INTO item_history (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address, to_address, network_id, tx_hash,
      block_number, log_index, part, timestamp)
    SELECT gen_random_uuid(), ${own}, id, token_id, 'MINT', 1, '${ZERO_ADDRESS}', '${makeAddress(1)}', 31337, 'tx ' || token_id, token_id::bigint, 0, 0, now()
    FROM items WHERE collection_id = '${full.id}';
    INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, state, updated_at)
    SELECT gen_random_uuid(), ${own}, id, 'CLAIM', gen_random_uuid(), 1, 'RELEASED', now() FROM items WHERE collection_id = '${full.id}';
    INSERT INTO vouchers (id, organization_id, collection_id, item_id, network_id, contract, minter, net_recipient, initial_recipient,
      initial_recipient_amount, quantity, nonce, expiry, price, token_id, currency, signature, state, updated_at)
    SELECT gen_random_uuid(), ${own}, id, 31337, '0x', '0x', '0x', '0x', 0, 1, row_number() OVER (), 1, 0, token_id, '0x', '0x', 'PENDING', now()
    FROM items WHERE collection_id = '${full.id}';
    INSERT INTO item_owners (organization_id, item_id, address, quantity)
    SELECT organization_id, id, '${makeAddress(3)}', 1 FROM items WHERE collection_id = '${full.id}';
    INSERT INTO chain_logs (id, organization_id, collection_id, network_id, tx_hash, log_index, block_number, block_hash, timestamp, topics, data)
    SELECT gen_random_uuid(), organization_id, collection_id, network_id, tx_hash, log_index, block_number, '0x', now(), '{}', '0x' FROM item_history;
    ANALYZE`)
  const foreign = await makeCollection(organization, { items: 0 })
  await worker.db.collection.update({ where: { id: foreign.id }, data: { deploymentType: 'EXTERNAL' } })
  await insertHistory(foreign, 5, null)
  const before = await countScannedRows()
  const chain = ports().chains.get(31337)!
  const at = Number(HEAD)
  for (let round = 0; round < 3; round++) {
    await inTransaction(worker, (tx) =>
      projectLogs(tx, [
        makeTransfer721(small, { block: at, index: 0 }, ZERO_ADDRESS, makeAddress(1), 1n),
        makeTransfer721(small, { block: at, index: 1 }, makeAddress(1), makeAddress(2), 1n),
        makeVoucherCancelled(full, { block: at, index: 2 }, { tokenId: 50n, nonce: 40n }),
      ]),
    )
    await applyVoucherFacts(worker, chain)
    await adoptTokens(worker, NETWORK)
    await matchMoves(worker, 31337)
    await inTransaction(worker, (tx) => undoLogsAbove(tx, 31337, HEAD - 1n))
  }
  // A table of a few rows may be scanned.
  expect((await countScannedRows()) - before).toBeLessThan(1_000)
})

test('what redeems or cancels a voucher reads none of the item’s other vouchers and holds, which thousands wait for', async () => {
  const edition = await makeCollection(organization, { tokenType: 'ERC1155', items: 1, maxSupply: null })
  const own = `'${organization.id}', '${edition.id}', '${edition.itemIds[0]}'`
  await asOwner(`
    SET session_replication_role = replica;
    INSERT INTO vouchers (id, organization_id, collection_id, item_id, purchase_intent_id, network_id, contract, minter, net_recipient, initial_recipient,
      initial_recipient_amount, quantity, nonce, expiry, price, token_id, currency, signature, state, updated_at)
    SELECT gen_random_uuid(), ${own}, gen_random_uuid(), 31337, '0x', '${makeAddress(1)}', '0x', '0x', 0, 1, n, 1, 0, '1', '0x', '0x', 'PENDING', now()
    FROM generate_series(1, ${ROWS}) n;
    INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, state, updated_at)
    SELECT gen_random_uuid(), ${own}, 'PURCHASE', purchase_intent_id, 1, 'HELD', now() FROM vouchers WHERE collection_id = '${edition.id}';
    UPDATE items SET held = ${ROWS} WHERE id = '${edition.itemIds[0]}';
    ANALYZE vouchers, holds`)
  const place = { block: Number(HEAD), tx: '0x7' }
  const { history, read } = await inTransaction(worker, async (tx) => {
    await projectLogs(tx, [
      makeVoucherRedeemed(edition, { ...place, index: 1 }, 7n),
      makeTransfer1155(edition, { ...place, index: 2 }, ZERO_ADDRESS, makeAddress(1), [1n], [1n]),
      makeVoucherRedeemed(edition, { ...place, index: 3 }, 2n ** 64n + 8n),
      makeTransfer1155(edition, { ...place, index: 4 }, ZERO_ADDRESS, makeAddress(1), [1n], [1n]),
      makeVoucherCancelled(edition, { ...place, index: 5 }, { tokenId: 1n, nonce: 9n }),
      makeVoucherCancelled(edition, { ...place, index: 6 }, { tokenId: 1n, nonce: 2n ** 64n + 10n }),
    ])
    const read = await tx.sql<{ rows: number }>(
      Prisma.sql`SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname IN ('vouchers', 'holds')`,
    )
    const history = await tx.sql<{ nonce: bigint | null; consumed: boolean }>(Prisma.sql`
      SELECT v.nonce, coalesce(d.state = 'CONSUMED' AND d.holder_id = v.purchase_intent_id, false) AS consumed
      FROM item_history h LEFT JOIN vouchers v ON v.id = h.voucher_id LEFT JOIN holds d ON d.id = h.hold_id
      WHERE h.item_id = ${edition.itemIds[0]}::uuid ORDER BY h.log_index`)
    return { history, read }
  })
  expect(history).toEqual([
    { nonce: 7n, consumed: true },
    { nonce: null, consumed: false },
  ])
  for (const { rows } of read) expect(rows).toBeLessThan(100)
  const facts = await worker.sql<{ type: string; nonce: bigint }>(Prisma.sql`
    SELECT f.type::text, v.nonce FROM voucher_facts f JOIN vouchers v ON v.id = f.voucher_id WHERE v.collection_id = ${edition.id}::uuid ORDER BY v.nonce`)
  expect(facts).toEqual([
    { type: 'REDEEMED', nonce: 7n },
    { type: 'CANCELLED', nonce: 9n },
  ])
})

test('adopting takes steps of bounded size, in turn for organizations, and of one organization in turn for contracts', async () => {
  const makeForeign = async (owner: TestOrganization, tokens: number) => {
    const collection = await makeCollection(owner, { items: 0 })
    await worker.db.collection.update({ where: { id: collection.id }, data: { deploymentType: 'EXTERNAL' } })
    await insertHistory(collection, tokens, null, owner)
    return collection
  }
  const [big, second, third] = [
    await makeForeign(organization, 1_200),
    await makeForeign(organization, 600),
    await makeForeign(organization, 2),
  ]
  const other = await makeForeign(await makeOrganization(), 3)
  const itemsOf = ({ id }: { id: string }) => worker.db.item.count({ where: { collectionId: id, minted: 1n } })
  const places = new Map<string, string>()
  expect(await adoptTokens(worker, NETWORK, places)).toBe(503)
  expect([await itemsOf(big), await itemsOf(other)]).toEqual([500, 3])
  expect(await adoptTokens(worker, NETWORK, places)).toBe(500)
  expect(await adoptTokens(worker, NETWORK, places)).toBe(2)
  expect([await itemsOf(big), await itemsOf(second), await itemsOf(third)]).toEqual([500, 500, 2])
  while ((await adoptTokens(worker, NETWORK, places)) > 0);
  expect([await itemsOf(big), await itemsOf(second)]).toEqual([1_200, 600])
})

test('a contract whose tokens can’t be adopted holds up no other', async () => {
  const [broken, sound] = [
    await makeCollection(organization, { items: 0 }),
    await makeCollection(await makeOrganization(), { items: 0 }),
  ]
  await worker.db.collection.updateMany({
    where: { id: { in: [broken.id, sound.id] } },
    data: { deploymentType: 'EXTERNAL' },
  })
  await insertHistory(broken, 2, null)
  await insertHistory(sound, 2, null, { id: sound.organizationId })
  await asOwner(`
    CREATE FUNCTION break_adoption() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
    CREATE TRIGGER break_adoption BEFORE INSERT ON items FOR EACH ROW WHEN (NEW.collection_id = '${broken.id}') EXECUTE FUNCTION break_adoption()`)
  expect(await adoptTokens(worker, NETWORK)).toBe(2)
  await asOwner(`
    DROP TRIGGER break_adoption ON items; DROP FUNCTION break_adoption;
    DELETE FROM item_history WHERE collection_id = '${broken.id}'; DELETE FROM row_tries`)
  expect(await worker.db.item.count({ where: { collectionId: sound.id, minted: 1n } })).toBe(2)
})

test('two workers that adopt the same tokens at once make one item for each and count each move once', async () => {
  const foreign = await makeCollection(organization, { items: 0 })
  await worker.db.collection.update({ where: { id: foreign.id }, data: { deploymentType: 'EXTERNAL' } })
  await insertHistory(foreign, 300, null)
  await Promise.all([adoptTokens(worker, NETWORK), adoptTokens(worker, NETWORK), adoptTokens(worker, NETWORK)])
  expect(await worker.db.item.count({ where: { collectionId: foreign.id } })).toBe(300)
  expect(await worker.db.item.count({ where: { collectionId: foreign.id, minted: 1n } })).toBe(300)
  const adopted = await organization.ctx.db.auditEntry.findMany({
    where: { action: 'items.adopted', subjectId: foreign.id },
  })
  expect(adopted.map(({ after }) => (after as { count: number }).count)).toEqual([300])
})

test('tokens that never get an item cost each step the same, and one that gets its item later is still found', async () => {
  const collection = await makeCollection(organization, { items: 0 })
  await insertHistory(collection, 2_500, null)
  await organization.ctx.db.item.create({
    data: {
      id: collection.id,
      organizationId: organization.id,
      collectionId: collection.id,
      attributes: {},
      tokenId: '999',
      lockedAt: new Date(),
      maxSupply: 1n,
    },
  })
  let after: MatchPlace | null = null
  const projected: number[] = []
  for (let step = 0; step < 3; step++) {
    const done: Awaited<ReturnType<typeof matchMoves>> = await matchMoves(worker, 31337, after)
    projected.push(done.projected)
    after = done.next
  }
  expect(projected).toEqual([0, 0, 1])
  expect(after).toBeNull()
})
