import { AppError } from '../../core/errors.ts'
import { askOutside, type ConditionalTable } from '../../db/ask-outside.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { isConditional } from '../api/openapi/problems.ts'
import { type Context, withAssertion } from '../auth/context.ts'
import { etagOf } from './encoding.ts'
import type { RequestHead } from './request-head.ts'

type Condition = {
  ifMatch: string
  params: Record<string, string>
  /** undefined where nothing is read by this path. */
  readEtag: (() => Promise<string>) | undefined
}

/**
 * The tables of the rows that a path names. What has no row of its own, such as words of mails, is written together
 * with its organization’s.
 */
const TABLES = {
  api_key_id: 'api_keys',
  campaign_id: 'campaigns',
  collection_id: 'collections',
  email_claim_id: 'email_claims',
  integration_id: 'email_integrations',
  item_id: 'items',
  item_type_id: 'item_types',
  listing_id: 'listings',
  member_id: 'members',
  perk_id: 'perks',
  snapshot_id: 'snapshots',
  webhook_id: 'webhooks',
} as const satisfies Record<string, ConditionalTable>

/** If-Match of a request that changes something, null where it has none. */
export const ifMatchOf = (endpoint: Endpoint, { headers }: RequestHead): string | null =>
  isConditional(endpoint) ? headers.get('if-match') : null

/**
 * Writes only while reading what is written gives one of the tags of If-Match (RFC 9110, 13.1.1): each encoding has its
 * own, and weak ones never count. What is read may be asked for outside of PostgreSQL, so it is read before the
 * transaction, and again where the row was written until the transaction has locked it. A purchase that its buyer gives
 * up is compared beforehand alone: its state decides under its lock.
 */
export async function writeIfMatch<T>(
  ctx: Context,
  endpoint: Endpoint,
  { ifMatch, params, readEtag }: Condition,
  write: (ctx: Context) => Promise<T>,
): Promise<T> {
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (tags.includes('*')) return write(ctx)
  if (!readEtag)
    throw new AppError('precondition_failed', 'Nothing can be read by this path, so it has no ETag. Send no If-Match.')
  const assertMatch = async () => {
    const etag = await readEtag()
    if (!(['identity', 'gzip', 'br'] as const).some((encoding) => tags.includes(etagOf(etag, encoding))))
      throw new AppError('precondition_failed', 'This changed since you read it. Read it again, then decide anew.')
  }
  if (!ctx.organizationId) {
    await assertMatch()
    return write(ctx)
  }
  return writeWhile(ctx, endpoint, params, assertMatch, write)
}

/** Writes the row that a path names only while `assertMatch`, which reads it, doesn't throw. */
export const writeWhile = <T>(
  ctx: Context,
  endpoint: Endpoint,
  params: Record<string, string>,
  assertMatch: () => Promise<void>,
  write: (ctx: Context) => Promise<T>,
): Promise<T> =>
  askOutside(ctx, rowOf(ctx, endpoint, params), assertMatch, async (answer) => {
    const row = { isCompared: false }
    const result = await write(
      withAssertion(ctx, async (tx) => {
        await answer.take(tx)
        row.isCompared = true
      }),
    )
    if (!row.isCompared) throw new Error('A write that depends on what was read has opened no transaction.')
    return result
  })

function rowOf(
  { organizationId, actor }: Context,
  { path }: Endpoint,
  params: Record<string, string>,
): { table: ConditionalTable; id: string } {
  if (path === '/v1/me' && actor.type === 'member') return { table: 'members', id: actor.id }
  for (const [name, id] of Object.entries(params))
    if (name in TABLES) return { table: TABLES[name as keyof typeof TABLES], id }
  return { table: 'organizations', id: organizationId }
}
