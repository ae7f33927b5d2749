import { Prisma } from '../../../generated/prisma/client.ts'
import { newId } from '../../core/id.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { ChainLogRow } from './moves-of.ts'

/** Stores logs of one network. Those that are stored already stay as they are. */
export async function storeLogs(tx: SystemContext, logs: readonly ChainLogRow[]): Promise<void> {
  if (logs.length === 0) return
  // PostgreSQL's nested arrays must be rectangular: topics are passed joined.
  await tx.sql(Prisma.sql`
    INSERT INTO chain_logs (id, organization_id, collection_id, network_id, tx_hash, log_index, block_number,
      block_hash, timestamp, topics, data)
    SELECT l.id, l.organization_id, l.collection_id, ${logs[0]!.networkId}, l.tx_hash, l.log_index, l.block_number,
      l.block_hash, l.timestamp,
      string_to_array(l.topics, ','), l.data
    FROM unnest(
      ${logs.map(() => newId())}::uuid[],
      ${logs.map(({ organizationId }) => organizationId)}::uuid[],
      ${logs.map(({ collectionId }) => collectionId)}::uuid[],
      ${logs.map(({ txHash }) => txHash)}::text[],
      ${logs.map(({ logIndex }) => logIndex)}::int[],
      ${logs.map(({ blockNumber }) => String(blockNumber))}::text[]::bigint[],
      ${logs.map(({ blockHash }) => blockHash)}::text[],
      ${logs.map(({ timestamp }) => timestamp.toISOString())}::text[]::timestamptz[],
      ${logs.map(({ topics }) => topics.join(','))}::text[],
      ${logs.map(({ data }) => data)}::text[]
    ) AS l(id, organization_id, collection_id, tx_hash, log_index, block_number, block_hash, timestamp, topics, data)
    ON CONFLICT (network_id, tx_hash, log_index) DO NOTHING`)
}
