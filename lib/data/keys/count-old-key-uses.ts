import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { currentKeyId, sealHeader } from '../../core/secrets.ts'
import { findServerKey } from '../../core/server-keys.ts'
import { nameOf, raw, SEALED_COLUMNS } from './sealed-columns.ts'

/** A use of a server key that isn't the newest. `npm run rotate-key` ends SEALED; the others end by time and by use. */
export type OldKeyUse = {
  kind: 'SEALED' | 'API_KEYS' | 'OPEN_CLAIMS' | 'OPEN_PINS' | 'OPEN_PURCHASES' | 'ENDED_PURCHASES'
  /** For SEALED: the table and column. */
  where: string | null
  /** null: from before keys had ids. */
  keyId: string | null
  /** Whether SERVER_KEY lists this key; null for what doesn't say its key. */
  listed: boolean | null
  count: number
}

type Counted = { keyId: string | null; count: number }

/** Counts what needs another server key than the newest: what is lost when that one is removed, or is lost already. */
export async function countOldKeyUses(worker: SystemContext): Promise<OldKeyUse[]> {
  const uses: OldKeyUse[] = []
  const add = (kind: OldKeyUse['kind'], where: string | null, rows: readonly Counted[]) => {
    for (const { keyId, count } of rows)
      uses.push({ kind, where, keyId, listed: keyId === null ? null : findServerKey(keyId) !== undefined, count })
  }
  for (const column of SEALED_COLUMNS) add('SEALED', nameOf(column), await countSealed(worker, column))
  const now = worker.now().toISOString()
  const counted = (from: Prisma.Sql, by: Prisma.Sql) =>
    worker.sql<Counted>(Prisma.sql`
      SELECT ${by} AS "keyId", count(*)::int AS count ${from} AND ${by} IS DISTINCT FROM ${currentKeyId()}
      GROUP BY 1 ORDER BY 1`)
  const own = raw('server_key_id')
  const usable = Prisma.sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)`
  add('API_KEYS', null, await counted(Prisma.sql`FROM api_keys WHERE ${usable}`, own))
  const openClaims = Prisma.sql`
    FROM email_claims c JOIN claim_tokens t ON t.claim_id = c.id AND t.generation = c.generation
    WHERE c.state IN ('OPEN', 'LOCKED', 'REDEEMED') AND (c.expires_at IS NULL OR c.expires_at > ${now}::timestamptz)`
  add('OPEN_CLAIMS', null, await counted(openClaims, raw('t.server_key_id')))
  const openPins = Prisma.sql`FROM pins WHERE state = 'OPEN' AND expires_at > ${now}::timestamptz`
  add('OPEN_PINS', null, await counted(openPins, own))
  const isOpen = Prisma.sql`(status IN ('PENDING', 'UNRESOLVED') OR status = 'CONFIRMED' AND completed_at IS NULL)`
  add('OPEN_PURCHASES', null, await counted(Prisma.sql`FROM purchase_intents WHERE ${isOpen}`, own))
  add('ENDED_PURCHASES', null, await counted(Prisma.sql`FROM purchase_intents WHERE NOT ${isOpen}`, own))
  return uses
}

const countSealed = (worker: SystemContext, { table, column }: { table: string; column: string }) =>
  worker.sql<Counted>(Prisma.sql`
    SELECT CASE WHEN substring(${raw(column)} FROM 1 FOR 4) = ${sealHeader().subarray(0, 4)}
      THEN encode(substring(${raw(column)} FROM 5 FOR 4), 'hex') END AS "keyId", count(*)::int AS count
    FROM ${raw(table)} WHERE substring(${raw(column)} FROM 1 FOR 8) <> ${sealHeader()} GROUP BY 1 ORDER BY 1`)
