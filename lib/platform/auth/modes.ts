import { Prisma } from '../../../generated/prisma/client.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { ORGANIZATION_WIDE } from '../api/permissions.ts'
import { AppError } from '../../core/errors.ts'
import { type Context, isTestKey } from './context.ts'

// Which rows are LIVE is decided by one function of the database, is_live (prisma/migrations: key_bounds). A trigger
// asks it for every row that a TEST key's request writes. What is asked here is refused before anything else happens.

/**
 * The tables whose rows a write can name in its path. Members and what else belongs to the whole organization are not
 * among them.
 */
const TABLES = {
  api_key_id: 'api_keys',
  campaign_id: 'campaigns',
  collection_id: 'collections',
  email_claim_id: 'email_claims',
  import_id: 'imports',
  item_id: 'items',
  item_type_id: 'item_types',
  listing_id: 'listings',
  payment_integration_id: 'payment_integrations',
  perk_id: 'perks',
  purchase_intent_id: 'purchase_intents',
  snapshot_id: 'snapshots',
  transaction_id: 'transactions',
  transfer_id: 'escrows',
} as const satisfies Record<string, string>

/**
 * Throws `mode_mismatch` when a TEST key would change what is LIVE: a row named in the path, or what belongs to the
 * whole organization once that has a LIVE collection or card account.
 */
export async function assertModeCovers(ctx: Context, endpoint: Endpoint, params: unknown): Promise<void> {
  if (!isTestKey(ctx.actor) || endpoint.method === 'GET') return
  const [area] = endpoint.permission?.split(':') ?? []
  if (ORGANIZATION_WIDE.some((wide) => wide === area) && (await hasLive(ctx)))
    throw new AppError(
      'mode_mismatch',
      'This belongs to the whole organization, which has a collection or card account that is LIVE: ' +
        'use a LIVE key, or the dashboard.',
    )
  const named = Object.entries((params ?? {}) as Record<string, unknown>)
  for (const [name, id] of named)
    if (name in TABLES && (await isLive(ctx, TABLES[name as keyof typeof TABLES], String(id)))) throw modeRefused()
}

/** The error for a TEST key that would change a LIVE row. */
export const modeRefused = () => new AppError('mode_mismatch', 'A TEST key changes only what is on test networks.')

/** The error for something LIVE of an organization that signed up by itself. */
export const approvalNeeded = () =>
  new AppError(
    'approval_needed',
    'This organization is new: until whoever runs this installation has approved it, it uses test networks only.',
  )

async function isLive(ctx: Context, table: string, id: string): Promise<boolean> {
  const [row] = await ctx.sql<{ live: boolean }>(
    Prisma.sql`SELECT is_live(${table}, to_jsonb(named)) AS live FROM ${Prisma.raw(table)} named
      WHERE id = ${id}::uuid`,
  )
  return row?.live ?? false
}

async function hasLive(ctx: Context): Promise<boolean> {
  const [collection, integration] = await Promise.all([
    ctx.db.collection.findFirst({ where: { mode: 'LIVE' }, select: { id: true } }),
    ctx.db.paymentIntegration.findFirst({
      where: { mode: 'LIVE', status: { not: 'DISCONNECTED' } },
      select: { id: true },
    }),
  ])
  return collection !== null || integration !== null
}
