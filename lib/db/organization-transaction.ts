import { connectionsOf } from './client.ts'
import type { Row } from './confine.ts'
import { isTransactionConflict } from './errors.ts'
import { SET_ORGANIZATION } from './prisma-connection.ts'
import type { Bounds, Reach } from './scope.ts'
import { type Call, call, connectionFrom, isLostName, PLAN_BY_KEYS, runTogether, type Statement } from './statements.ts'
import { written } from './written.ts'

/** Runs statements one after another in one round trip and gives the rows of each. */
export type Run = (...calls: Call[]) => Promise<Row[][]>

/** Runs statements in a transaction that is open already, each in a round trip of its own. */
export const runIn =
  ({ rows }: Pick<Reach, 'rows'>): Run =>
  async (...calls) => {
    const results: Row[][] = []
    for (const { statement, values } of calls) results.push(await rows(statement, ...values))
    return results
  }

/** Writes by statements whose answers nobody needs, in a transaction that is open already. */
export async function writeIn({ later }: Pick<Reach, 'later'>, ...calls: Call[]): Promise<void> {
  for (const { statement, values } of calls) await later(statement, ...values)
}

const BEGIN: Statement = { name: 'begin', text: 'BEGIN' }
const COMMIT: Statement = { name: 'commit', text: 'COMMIT' }
const SET: Statement = { name: 'set_organization', text: `${SET_ORGANIZATION}, ${PLAN_BY_KEYS}` }
const TRIES = 5

/**
 * Runs `work` in a database transaction on one organization's rows, for what is written so often that Prisma's round
 * trips would show. The transaction begins with the first statements and costs no round trip of its own; statements
 * passed to `last` go out with its end. All of them find their rows by keys (`PLAN_BY_KEYS`). Deadlocks, serialization
 * failures and names that the connection lost are tried again. Throws a pg.DatabaseError.
 */
export async function organizationTransaction<T>(
  organizationId: string,
  { mode, signal }: Pick<Bounds, 'mode' | 'signal'>,
  work: (run: Run, last: Run) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once([call(BEGIN), call(SET, organizationId, mode ?? '')], signal, work)
    } catch (error) {
      if (tries >= TRIES || !(isTransactionConflict(error) || isLostName(error))) throw error
    }
  }
}

async function once<T>(
  opening: Call[],
  signal: AbortSignal | undefined,
  work: (run: Run, last: Run) => Promise<T>,
): Promise<T> {
  const client = await connectionFrom(connectionsOf('vitrine_app'), signal)
  let state = 'new' as 'new' | 'open' | 'ended' | 'failed'
  const send = async (calls: Call[], end: Call[]): Promise<Row[][]> => {
    if (state === 'ended') throw new Error('This transaction has ended.')
    const before = state === 'new' ? opening : []
    if (state !== 'failed') state = end.length > 0 ? 'ended' : 'open'
    const results = await runTogether(client, [...before, ...calls, ...end]).catch((error: unknown) => {
      state = 'failed'
      throw error
    })
    return results.slice(before.length, before.length + calls.length)
  }
  const run: Run = (...calls) => send(calls, [])
  const last: Run = (...calls) => send(calls, [call(COMMIT)])
  try {
    const result = await work(run, last)
    // PostgreSQL would answer COMMIT with ROLLBACK, and without an error.
    if (state === 'failed') throw new Error('A statement of this transaction had failed, and its error was caught.')
    if (state === 'open') await last()
    client.release()
    written()
    return result
  } catch (error) {
    // Whatever is still open is rolled back; a connection that can't even do that is closed.
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    )
    throw error
  }
}
