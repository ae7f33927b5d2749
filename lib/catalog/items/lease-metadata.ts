import { Prisma } from '../../../generated/prisma/client.ts'
import { realNow, secondsFrom } from '../../core/clock.ts'
import { columns } from '../../db/columns.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Room } from '../../platform/jobs/due-work.ts'

/**
 * A process that neither read its tokens nor renewed their leases for so long is presumed dead; another one reads them.
 */
const LEASE_SECONDS = 20

/** Tokens of one organization that a process reads at once, so that its servers don't delay those of others. */
const MAX_PER_OWNER = 4

/**
 * A token whose metadata is due. `due`: since when; it changes where the metadata is to be read once more. `enteredTo`:
 * the last block that is entered.
 */
export type DueToken = {
  id: string
  organizationId: string
  tokenId: string
  due: Date
  tries: number
  imageSource: string | null
  collectionName: string
  networkId: number
  contract: string
  tokenType: 'ERC721' | 'ERC1155'
  enteredTo: bigint | null
}

const ITEM = Prisma.raw(columns('i', 'Item', ['id', 'organizationId', 'tokenId', 'imageSource']))
const COLLECTION = Prisma.raw(columns('c', 'Collection', ['networkId', 'tokenType']))
const NAME = Prisma.raw(columns('c', 'Collection', ['name'], 'collection'))

/**
 * Leases tokens whose metadata is due to this process, in turn for all organizations, as mails are
 * (docs/decisions/0028): in real time, since a sandbox's clock may be advanced.
 */
export async function leaseMetadata(worker: SystemContext, { max, busy }: Room): Promise<DueToken[]> {
  const now = Prisma.sql`${worker.now().toISOString()}::timestamptz`
  const isDue = Prisma.sql`i.metadata_due_at <= ${now}
    AND (i.metadata_reading_until IS NULL OR i.metadata_reading_until <= ${realNow().toISOString()}::timestamptz)`
  return worker.sql<DueToken>(Prisma.sql`
    WITH RECURSIVE owners AS (
      (SELECT i.organization_id AS id FROM items i WHERE i.metadata_due_at IS NOT NULL ORDER BY 1 LIMIT 1)
      UNION ALL
      SELECT (SELECT i.organization_id FROM items i
        WHERE i.metadata_due_at IS NOT NULL AND i.organization_id > o.id ORDER BY 1 LIMIT 1)
      FROM owners o WHERE o.id IS NOT NULL
    ), chosen AS MATERIALIZED (
      SELECT d.id FROM owners o
      LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) AS b (owner, tokens) ON b.owner = o.id
      CROSS JOIN LATERAL (
        SELECT i.id, i.metadata_due_at AS due FROM items i WHERE i.organization_id = o.id AND ${isDue}
        ORDER BY i.metadata_due_at, i.id LIMIT least(${max}, greatest(0, ${MAX_PER_OWNER} - coalesce(b.tokens, 0)))
      ) d
      ORDER BY coalesce(b.tokens, 0) + row_number() OVER (PARTITION BY o.id ORDER BY d.due, d.id), d.due, d.id
      LIMIT ${max}
    ), due AS MATERIALIZED (
      SELECT i.id FROM items i WHERE i.id IN (SELECT id FROM chosen) AND ${isDue} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE items i SET metadata_tries = metadata_tries + 1, metadata_read_at = ${now},
      metadata_reading_until = ${leaseEnd()}
    FROM due, collections c LEFT JOIN chain_cursors k ON k.network_id = c.network_id
    WHERE i.id = due.id AND c.id = i.collection_id
    RETURNING ${ITEM}, i.metadata_due_at AS due, i.metadata_tries AS tries, ${COLLECTION}, ${NAME},
      c.contract_address AS contract, k.number AS "enteredTo"`)
}

/** Renews the lease of a token that takes long. */
export async function renewMetadataLease(worker: SystemContext, id: string): Promise<void> {
  await worker.sql(Prisma.sql`
    UPDATE items SET metadata_reading_until = ${leaseEnd()}
    WHERE id = ${id}::uuid AND metadata_reading_until IS NOT NULL`)
}

const leaseEnd = () => Prisma.sql`${secondsFrom(realNow(), LEASE_SECONDS).toISOString()}::timestamptz`
