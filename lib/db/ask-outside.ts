import { Prisma } from '../../generated/prisma/client.ts'
import { AppError } from '../core/errors.ts'
import type { Reach } from './scope.ts'

/**
 * The tables whose rows follow what something outside of PostgreSQL says of them, and those of which somebody says with
 * If-Match what they are.
 */
type Followed = 'payments' | 'lost_payments' | 'payment_integrations' | ConditionalTable
export type ConditionalTable =
  | 'api_keys'
  | 'campaigns'
  | 'collections'
  | 'email_claims'
  | 'email_integrations'
  | 'item_types'
  | 'items'
  | 'listings'
  | 'members'
  | 'organizations'
  | 'perks'
  | 'snapshots'
  | 'webhooks'
type Row<Table extends Followed> = { table: Table; id: string }
type Statements = Pick<Reach, 'sql'>

declare const asked: unique symbol

/**
 * An answer from outside about a row, for the verb that applies it. Only this file makes one, so that the age of an
 * applied answer is always known.
 */
export type Answer<Table extends Followed, T> = {
  readonly id: string
  /**
   * Locks the row until the transaction ends and returns what was said. Call it before the transaction writes the row.
   * Throws AnswerOutdated if the row was written since the question: something newer may have been applied.
   */
  readonly take: (tx: Statements) => Promise<T>
  readonly [asked]: Table
}

/** The row was written while the outside was asked, so the answer may be older than what the row says. */
class AnswerOutdated extends AppError {
  readonly row: object

  constructor(row: object) {
    super('unavailable', 'This changed again and again while we asked for its state. Try again in a moment.', {
      retryAfterSeconds: 1,
    })
    this.row = row
  }
}

/**
 * How often the same is asked before the caller has to try again later. Each time, somebody else's answer was applied.
 */
const MOST_QUESTIONS = 5

/**
 * Asks something outside about a row and applies the answer, unless the row was written meanwhile: answers carry no
 * order, so this one may be older than what was applied, and it is asked again. Call it outside of transactions. `ask`
 * may run several times.
 */
export async function askOutside<Table extends Followed, T, R>(
  ctx: Statements,
  row: Row<Table>,
  ask: () => Promise<T>,
  apply: (answer: Answer<Table, T>) => Promise<R>,
): Promise<R> {
  for (let questions = 1; ; questions++) {
    const before = await versionOf(ctx, row)
    const said = await ask()
    try {
      return await apply(answerOf(row, said, (version) => version === before))
    } catch (error) {
      if (!(error instanceof AnswerOutdated && error.row === row) || questions === MOST_QUESTIONS) throw error
    }
  }
}

/** The answer by which the caller's transaction has just made the row: nothing was applied to that before. */
export const firstAnswer = <Table extends Followed, T>(row: Row<Table>, said: T): Answer<Table, T> =>
  answerOf(row, said, (version, current) => version === current)

const answerOf = <Table extends Followed, T>(
  row: Row<Table>,
  said: T,
  isNewest: (version: string | null, current: string) => boolean,
): Answer<Table, T> =>
  ({
    id: row.id,
    take: async (tx: Statements): Promise<T> => {
      const [locked] = await tx.sql<{ version: string; current: string }>(
        Prisma.sql`SELECT xmin::text AS version, pg_current_xact_id()::xid::text AS current
          FROM ${Prisma.raw(row.table)} WHERE id = ${row.id}::uuid FOR NO KEY UPDATE`,
      )
      if (locked && !isNewest(locked.version, locked.current)) throw new AnswerOutdated(row)
      return said
    },
  }) as Answer<Table, T>

/** The transaction that wrote the row last: no statement can forget to change it. */
async function versionOf(ctx: Statements, { table, id }: Row<Followed>): Promise<string | null> {
  const [row] = await ctx.sql<{ version: string }>(
    Prisma.sql`SELECT xmin::text AS version FROM ${Prisma.raw(table)} WHERE id = ${id}::uuid`,
  )
  return row?.version ?? null
}
