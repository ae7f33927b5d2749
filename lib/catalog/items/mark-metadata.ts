import { Prisma } from '../../../generated/prisma/client.ts'
import { MINUTE, secondsFrom } from '../../core/clock.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { type Context, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { type DueRow, findReady, sweep } from '../../platform/jobs/sweep.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'

const TASK = {
  kind: 'mark metadata',
  failure: 'The tokens whose metadata is to be read again could not be marked.',
} as const
/** Collections of which one step is taken. */
const BATCH = 20
/** Items that one step of a pass looks at. */
const ITEMS_PER_STEP = 500
/** An item is read at most once in this time, and a pass over a collection begins at most once in it. */
export const REREAD_SECONDS = 10 * MINUTE

const PASS = columns('metadata_passes', 'MetadataPass', ['tokenIds', 'markedTo', 'beganAt'])
type Pass = RowOf<typeof PASS> & {
  version: string
  firstToken: string | null
  lastToken: string | null
  passFirst: string | null
  passLast: string | null
}

/**
 * Marks items whose metadata is to be read again as due: of each collection the single tokens that were asked for, and
 * a part of its pass, in turn for all organizations. Returns how many collections went on.
 */
export async function markMetadata(worker: SystemContext): Promise<number> {
  const now = worker.now().toISOString()
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
      SELECT p.collection_id::text AS id, p.organization_id::text AS "organizationId" FROM metadata_passes p
      WHERE p.due_at <= ${now}::timestamptz
      ORDER BY row_number() OVER (PARTITION BY p.organization_id ORDER BY p.due_at, p.collection_id), p.due_at,
        p.collection_id LIMIT ${take} OFFSET ${skip}`),
  )
  return sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => takeStep(tx, id)))
}

/**
 * Items are locked before the pass, as by the indexer. Where something was asked for meanwhile, the same step is taken
 * again.
 */
async function takeStep(tx: Context, collectionId: string): Promise<void> {
  const [pass] = await tx.sql<Pass>(Prisma.sql`
    SELECT xmin::text AS version, ${Prisma.raw(PASS)}, first_token::text AS "firstToken",
      last_token::text AS "lastToken", pass_first::text AS "passFirst", pass_last::text AS "passLast"
    FROM metadata_passes WHERE collection_id = ${collectionId}::uuid`)
  if (!pass) return
  const next = nextPart(pass, tx.now())
  const seen = next ? await findItems(tx, collectionId, next.markedTo) : []
  const inRange = seen.filter(({ tokenId }) => BigInt(tokenId) >= next!.first && BigInt(tokenId) <= next!.last)
  const named = await findNamed(tx, collectionId, pass.tokenIds)
  await markItems(tx, [...new Set([...named, ...inRange].map(({ id }) => id))])
  const isOver = seen.length < ITEMS_PER_STEP
  const asked = next?.begins ? null : pass.firstToken
  const beganAt = next?.begins ? tx.now() : pass.beganAt
  const dueAt = next && !isOver ? tx.now() : asked === null ? null : secondsFrom(beganAt ?? tx.now(), REREAD_SECONDS)
  const under = next && !isOver ? { first: next.first, last: next.last, markedTo: seen.at(-1)!.tokenId } : null
  await tx.sql(Prisma.sql`
    UPDATE metadata_passes SET token_ids = '{}', first_token = ${asked}::numeric,
      last_token = ${asked && pass.lastToken}::numeric, pass_first = ${under && String(under.first)}::numeric,
      pass_last = ${under && String(under.last)}::numeric, marked_to = ${under && under.markedTo},
      began_at = ${beganAt?.toISOString() ?? null}::timestamptz, due_at = ${dueAt?.toISOString() ?? null}::timestamptz
    WHERE collection_id = ${collectionId}::uuid AND xmin::text = ${pass.version}`)
}

type Part = { first: bigint; last: bigint; markedTo: string; begins: boolean }

/**
 * The rest of the pass that is under way, else the pass that is asked for, unless the last one began a short time ago.
 */
function nextPart(pass: Pass, now: Date): Part | null {
  if (pass.passFirst !== null && pass.passLast !== null && pass.markedTo !== null)
    return { first: BigInt(pass.passFirst), last: BigInt(pass.passLast), markedTo: pass.markedTo, begins: false }
  if (pass.firstToken === null || pass.lastToken === null) return null
  if (pass.beganAt && secondsFrom(pass.beganAt, REREAD_SECONDS) > now) return null
  return { first: BigInt(pass.firstToken), last: BigInt(pass.lastToken), markedTo: '', begins: true }
}

type MarkedItem = { id: string; tokenId: string }
const MARKED = Prisma.raw(columns('items', 'Item', ['id', 'tokenId']))

const findItems = (tx: Context, collectionId: string, after: string): Promise<MarkedItem[]> =>
  tx.sql<MarkedItem>(Prisma.sql`
    SELECT ${MARKED} FROM items WHERE collection_id = ${collectionId}::uuid AND token_id > ${after}
    ORDER BY token_id LIMIT ${ITEMS_PER_STEP}`)

const findNamed = (tx: Context, collectionId: string, tokenIds: readonly string[]): Promise<MarkedItem[]> =>
  tx.sql<MarkedItem>(Prisma.sql`
    SELECT ${MARKED} FROM items
    WHERE collection_id = ${collectionId}::uuid AND token_id = ANY(${[...tokenIds]}::text[])`)

/**
 * One that waits for its next try is tried sooner, and one that is being read at this moment is read again. What the
 * organization made itself has no metadata that was read.
 */
async function markItems(tx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await lockItemRows(tx, ids)
  const now = Prisma.sql`${tx.now().toISOString()}::timestamptz`
  const again = Prisma.sql`metadata_read_at + ${REREAD_SECONDS} * interval '1 second'`
  await tx.sql(Prisma.sql`
    UPDATE items SET metadata_tries = 0,
      metadata_due_at = CASE WHEN metadata_reading_until IS NULL
        THEN least(metadata_due_at, greatest(${now}, ${again})) ELSE coalesce(${again}, ${now}) END
    WHERE id = ANY(${[...ids]}::uuid[])
      AND (metadata_due_at IS NOT NULL OR metadata_read_at IS NOT NULL OR metadata_tries > 0)`)
}
