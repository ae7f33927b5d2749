import { carryOutTogether } from '../../core/group-commit.ts'
import { isTemporary } from '../../db/errors.ts'
import { rowsByKeys } from '../../db/scope.ts'
import type { Statement, Value } from '../../db/statements.ts'
import type { Context } from '../auth/context.ts'

/**
 * How requests are refused by one read, before their Idempotency-Keys are taken, so that a flood of them writes
 * nothing. It is asked only about requests whose key has no record; what isn't refused goes on as without it.
 */
export type EarlyRefusal<In, Row extends object, Found> = {
  /** Of its statement. */
  name: string
  /**
   * The names and types of the values that it is asked about. Its query knows them as `asked`, with `request_key`
   * beside them.
   */
  asked: Record<string, string>
  valuesOf: (input: In, now: Date) => Value[]
  /**
   * At most one row, found by keys: none where the request must go on. It is read with the rights of vitrine_system.
   */
  query: string
  /** Throws what refuses the request. What it gives needn't be read again by the handler. */
  judge: (row: Row, input: In, moment: Moment) => Found
}

/** When and by what a request is judged. */
type Moment = Pick<Context, 'now' | 'ports'>

/** A use of an Idempotency-Key that isn't taken yet. `requestKey` as the handler gets it. */
type Asking = { scope: string; key: string; requestKey: string }

const MOST_TOGETHER = 100
/** More than a process works on at once. */
const MOST_WAITING = 10_000

/**
 * Refuses a request early, or gives what was found for it; undefined where nothing was. Requests that come while others
 * are asked about are asked about in the next statement. Key and rows are read in one snapshot: a request that
 * succeeded before it isn't refused.
 */
export function refuserOf<In, Row extends object, Found>({
  name,
  asked,
  valuesOf,
  query,
  judge,
}: EarlyRefusal<In, Row, Found>): (asking: Asking, input: In, moment: Moment) => Promise<Found | undefined> {
  const statement = { name, text: textOf(asked, query) }
  const together = {
    key: `early refusals ${name}`,
    most: MOST_TOGETHER,
    waiting: MOST_WAITING,
    work: (all: readonly Value[][]) => find<Row>(statement, all),
    isShared: isTemporary,
  }
  return async ({ scope, key, requestKey }, input, moment) => {
    const values = [scope, key, requestKey, ...valuesOf(input, moment.now())]
    const row = await carryOutTogether<Value[], Row | undefined>(together, values)
    return row && judge(row, input, moment)
  }
}

async function find<Row extends object>(statement: Statement, all: readonly Value[][]): Promise<(Row | undefined)[]> {
  const columns = all[0]!.map((_, part) => all.map((values) => values[part]!))
  const rows = await rowsByKeys<Row & { at: number }>(statement, ...columns)
  const found = new Map(rows.map((row) => [row.at, row]))
  return all.map((_, at) => found.get(at + 1))
}

/**
 * The look-up by the key stands in a subquery with LIMIT, which the planner doesn't turn into a join that reads the
 * whole table.
 */
function textOf(asked: Record<string, string>, query: string): string {
  const types = ['text', 'text', 'text', ...Object.values(asked)]
  const names = ['scope', 'key', 'request_key', ...Object.keys(asked)]
  const arrays = types.map((type, at) => `(SELECT $${at + 1}::${type}[])`)
  return `SELECT asked.at::int AS at, found.*
    FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS asked(${names.join(', ')}, at)
    CROSS JOIN LATERAL (${query} LIMIT 1) AS found
    WHERE (SELECT 1 FROM idempotency_records i WHERE i.scope = asked.scope AND i.key = asked.key LIMIT 1) IS NULL`
}
