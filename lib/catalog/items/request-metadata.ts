import { Prisma } from '../../../generated/prisma/client.ts'
import type { AnyContext } from '../../platform/auth/context.ts'

/** Tokens of a collection whose metadata may have changed, ends included. */
export type MetadataRange = { collectionId: string; from: bigint; to: bigint }

export const ALL_TOKENS = { from: 0n, to: 2n ** 256n - 1n } as const

/** Tokens of a collection that wait one by one. Where there are more, all tokens between them are read. */
const MAX_TOKENS = 1_000
/** A range of at most so many tokens counts as single ones. */
const SHORT = 100n

type MetadataRequest = { collection_id: string; token_ids: string[]; first: string | null; last: string | null }

/**
 * Has the metadata of these tokens read again, as far as they are of external contracts. Only the request is recorded:
 * `markMetadata` looks for the items. Asking again for what waits changes nothing.
 */
export async function requestMetadata(tx: AnyContext, ranges: readonly MetadataRange[]): Promise<void> {
  const asked = [...Map.groupBy(ranges, ({ collectionId }) => collectionId)].map(([id, own]) => askedOf(id, own))
  if (asked.length === 0) return
  const both = Prisma.sql`p.token_ids || excluded.token_ids`
  const isTooMany = Prisma.sql`cardinality(${both}) > ${MAX_TOKENS}`
  await tx.sql(Prisma.sql`
    INSERT INTO metadata_passes AS p (collection_id, organization_id, token_ids, first_token, last_token, due_at)
    SELECT c.id, c.organization_id, a.token_ids, a.first, a.last, ${tx.now().toISOString()}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      AS a (collection_id uuid, token_ids text[], first numeric, last numeric)
    JOIN collections c ON c.id = a.collection_id
    WHERE c.deployment_type = 'EXTERNAL' ORDER BY c.id
    ON CONFLICT (collection_id) DO UPDATE SET
      token_ids = CASE WHEN ${isTooMany} THEN '{}' ELSE ARRAY(SELECT DISTINCT unnest(${both})) END,
      first_token = least(p.first_token, excluded.first_token,
        CASE WHEN ${isTooMany} THEN (SELECT min(id::numeric) FROM unnest(${both}) id) END),
      last_token = greatest(p.last_token, excluded.last_token,
        CASE WHEN ${isTooMany} THEN (SELECT max(id::numeric) FROM unnest(${both}) id) END),
      due_at = least(p.due_at, excluded.due_at)`)
}

function askedOf(collectionId: string, ranges: readonly MetadataRange[]): MetadataRequest {
  const tokens = new Set<bigint>()
  const ends: bigint[] = []
  for (const { from, to } of ranges) {
    if (to - from >= SHORT || tokens.size > MAX_TOKENS) ends.push(from, to)
    else for (let id = from; id <= to; id++) tokens.add(id)
  }
  const isTooMany = tokens.size > MAX_TOKENS
  if (isTooMany) ends.push(...tokens)
  return {
    collection_id: collectionId,
    token_ids: isTooMany ? [] : [...tokens].map(String),
    first: ends.length > 0 ? String(ends.reduce((a, b) => (a < b ? a : b))) : null,
    last: ends.length > 0 ? String(ends.reduce((a, b) => (a > b ? a : b))) : null,
  }
}
