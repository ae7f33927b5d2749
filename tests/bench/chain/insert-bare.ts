import type pg from 'pg'
import { newId } from '../../../lib/core/id.ts'
import { historyId } from '../../../lib/onchain/history/history-id.ts'
import type { ChainLogRow } from '../../../lib/onchain/indexer/moves-of.ts'

/** Inserts what the indexer inserts by one statement a table, without reading, deciding or telling anybody. */
export async function insertBare(
  client: pg.Client,
  logs: readonly ChainLogRow[],
  itemOf: (log: ChainLogRow) => string,
): Promise<void> {
  const organizations = logs.map(({ organizationId }) => organizationId)
  const collections = logs.map(({ collectionId }) => collectionId)
  const hashes = logs.map(({ txHash }) => txHash)
  const indexes = logs.map(({ logIndex }) => logIndex)
  const blocks = logs.map(({ blockNumber }) => String(blockNumber))
  const times = logs.map(({ timestamp }) => timestamp.toISOString())
  const items = logs.map(itemOf)
  const from = logs.map(({ topics }) => `0x${topics[1]!.slice(-40)}`)
  const to = logs.map(({ topics }) => `0x${topics[2]!.slice(-40)}`)
  const ids = logs.map(({ blockNumber, logIndex }) => historyId({ networkId: 31337, blockNumber, logIndex, part: 0 }))
  await client.query('BEGIN')
  await client.query(
    `INSERT INTO bare_chain_logs (id, organization_id, collection_id, network_id, tx_hash, log_index, block_number, block_hash, timestamp, topics, data)
     SELECT l.id, l.o, l.c, 31337, l.h, l.i, l.b, l.bh, l.t, string_to_array(l.topics, ','), '0x'
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::bigint[], $7::text[], $8::timestamptz[], $9::text[]) AS l(id, o, c, h, i, b, bh, t, topics)
     ON CONFLICT DO NOTHING`,
    [
      logs.map(() => newId()),
      organizations,
      collections,
      hashes,
      indexes,
      blocks,
      logs.map(({ blockHash }) => blockHash),
      times,
      logs.map(({ topics }) => topics.join(',')),
    ],
  )
  await client.query(
    `INSERT INTO bare_item_history (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address, to_address, network_id, tx_hash, block_number, log_index, part, timestamp)
     SELECT m.id, m.o, m.c, m.item, m.token, m.type::"HistoryType", 1, m.f, m.t, 31337, m.h, m.b, m.i, 0, m.at
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[], $11::int[], $12::timestamptz[])
       AS m(id, o, c, item, token, type, f, t, h, b, i, at)
     ON CONFLICT DO NOTHING`,
    [
      ids,
      organizations,
      collections,
      items,
      logs.map(({ topics }) => String(BigInt(topics[3]!))),
      from.map((address) => (BigInt(address) === 0n ? 'MINT' : 'TRANSFER')),
      from,
      to,
      hashes,
      blocks,
      indexes,
      times,
    ],
  )
  await client.query(
    `INSERT INTO bare_item_owners AS o (organization_id, item_id, address, quantity)
     SELECT c.o, c.item, c.a, c.q FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::numeric[]) AS c(o, item, a, q)
     ON CONFLICT (item_id, address) DO UPDATE SET quantity = o.quantity + excluded.quantity`,
    [
      [...organizations, ...organizations],
      [...items, ...items],
      [...from, ...to],
      [...from.map(() => -1), ...to.map(() => 1)],
    ],
  )
  await client.query('DELETE FROM bare_item_owners WHERE quantity = 0 AND item_id = ANY($1::uuid[])', [items])
  await client.query(
    `INSERT INTO bare_events (id, organization_id, type, key, data, created_at)
     SELECT e.id, e.o, 'item.transferred', e.k, e.d, now() FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[]) AS e(id, o, k, d) ON CONFLICT DO NOTHING`,
    [
      logs.map(() => newId()),
      organizations,
      hashes,
      logs.map((log) => ({
        item_id: itemOf(log),
        tx_hash: log.txHash,
        from: 'an address of forty digits and two more',
        to: 'an address of forty digits and two more',
        block_number: Number(log.blockNumber),
        log_index: log.logIndex,
        timestamp: log.timestamp.toISOString(),
      })),
    ],
  )
  await client.query('COMMIT')
}
