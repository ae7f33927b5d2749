import { gather } from '../core/gather.ts'
import { connectionsOf } from './client.ts'
import type { Row } from './confine.ts'
import type { DatabaseRole } from './session.ts'
import { type Call, runAlone, type Statement, type Value } from './statements.ts'

type PendingCall = { call: Call; resolve: (rows: never) => void; reject: (error: unknown) => void }

/**
 * The rows of statements outside a transaction, for a page that asks for many things at once: what is asked for before
 * the event loop goes on is sent in one round trip, after the statements that set what it may see. It fails together.
 */
export function rowsTogether(role: DatabaseRole, signal: AbortSignal | undefined, ...before: Call[]) {
  const send = async (asked: readonly PendingCall[]) => {
    try {
      const results = await runAlone(connectionsOf(role), [...before, ...asked.map(({ call }) => call)], signal)
      for (const [at, { resolve }] of asked.entries()) resolve(results[before.length + at] as never)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
  const ask = gather<PendingCall>((asked) => void send(asked))
  return <T = Row>(statement: Statement, ...values: Value[]): Promise<T[]> =>
    new Promise((resolve, reject) => ask({ call: { statement, values }, resolve, reject }))
}
