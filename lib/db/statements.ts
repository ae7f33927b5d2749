import pg from 'pg'
import { oncePerProcess } from '../core/once-per-process.ts'
import type { Row } from './confine.ts'
import { fromDatabase } from './errors.ts'

/** A statement that is sent often. A connection parses it once, under its name; two statements never share one. */
export type Statement = { name: string; text: string }
/** A value of a statement. An object is sent as JSON, an array as an array of PostgreSQL. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly Value[]
  | { readonly [name: string]: unknown }
export type Call = { statement: Statement; values: readonly Value[] }
/** A value as the protocol takes it: text, or bytes. */
type Wire = string | Buffer | null
type Sent = { statement: Statement; values: readonly Wire[] }

export const call = (statement: Statement, ...values: Value[]): Call => ({ statement, values })

/**
 * Settings for planning statements that find their rows by keys, until the end of their transaction. A connection plans
 * each of them once, whatever the values are, and by indexes, also while a table is so small that reading all of it
 * looks cheaper. A plan is kept until a table is analyzed.
 */
export const PLAN_BY_KEYS = [
  "set_config('plan_cache_mode', 'force_generic_plan', true)",
  ...['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'].map(
    (name) => `set_config('${name}', 'off', true)`,
  ),
].join(', ')

/** The part of the protocol that `pg` offers to a query that isn't its own. */
type Connection = {
  stream: { cork: () => void; uncork: () => void }
  parse: (message: { name: string; text: string }) => void
  bind: (message: { statement: string; values: readonly Wire[] }) => void
  describe: (message: { type: 'P' }) => void
  execute: (message: object) => void
  close: (message: { type: 'S'; name: string }) => void
  sync: () => void
}
type Field = { name: string; dataTypeID: number }

/**
 * The state of a connection: the statements it has parsed, those of which that is uncertain, and whether it keeps
 * names. Behind a pooler in transaction mode it doesn't, since the next statement may run on another connection of the
 * server.
 */
type Known = { parsed: Map<string, string>; uncertain: Set<string>; keepsNames: boolean | undefined }
const connections = oncePerProcess('known statements', () => new WeakMap<object, Known>())

function knownOf(client: object): Known {
  const known = connections.get(client) ?? { parsed: new Map(), uncertain: new Set(), keepsNames: undefined }
  connections.set(client, known)
  return known
}

/**
 * Runs statements one after another in one round trip and gives the rows of each. Outside a transaction they run in one
 * of their own: all of them or none. Whole numbers of 64 bits come as bigint. Throws a pg.DatabaseError.
 */
export async function runTogether(client: pg.ClientBase, calls: readonly Call[]): Promise<Row[][]> {
  const known = knownOf(client)
  if (known.keepsNames !== undefined) return send(client, known, calls)
  // A pooler tells its clients a process id of its own making, and passes the server's answer on.
  const [pid, ...results] = await send(client, known, [call(SERVER_PID), ...calls])
  known.keepsNames = pid![0]!.pid === (client as pg.ClientBase & { processID: number }).processID
  return results
}

const SERVER_PID: Statement = { name: 'server_pid', text: 'SELECT pg_backend_pid() AS pid' }

/** Runs statements as `runTogether` does, on any connection of a pool. */
export async function runAlone(pool: pg.Pool, calls: readonly Call[], signal?: AbortSignal): Promise<Row[][]> {
  const client = await connectionFrom(pool, signal)
  try {
    return await runTogether(client, calls).catch((error: unknown) => {
      if (!isLostName(error)) throw error
      return runTogether(client, calls) // Nothing of it was carried out, and names are now known to be lost.
    })
  } finally {
    client.release()
  }
}

/** A connection of a pool. Who waits for one no longer does once the signal is aborted: its reason is thrown. */
export async function connectionFrom(pool: pg.Pool, signal?: AbortSignal): Promise<pg.PoolClient> {
  if (!signal) return pool.connect()
  signal.throwIfAborted()
  const coming = pool.connect()
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(signal.reason as Error)
      void coming.then((client) => client.release()).catch(() => undefined)
    }
    const waited =
      <T>(end: (value: T) => void) =>
      (value: T) => {
        signal.removeEventListener('abort', stop)
        end(value)
      }
    signal.addEventListener('abort', stop)
    coming.then(waited(resolve), waited(reject))
  })
}

/** The server's connection doesn't know the name, knows it already, or knows it with the columns before a migration. */
export const isLostName = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['26000', '42P05', '0A000'].includes(error.code ?? '')

async function send(client: pg.ClientBase, known: Known, calls: readonly Call[]): Promise<Row[][]> {
  for (const { statement } of calls)
    if ((known.parsed.get(statement.name) ?? statement.text) !== statement.text)
      throw new Error(`Two statements are named ${statement.name}.`)
  // A value that can't be sent is refused before anything is: what was sent in part would leave the connection waiting.
  const sent = calls.map(({ statement, values }) => ({ statement, values: values.map(wireOf) }))
  return fromDatabase(
    new Promise((resolve, reject) => void client.query(new Together(known, sent, resolve, reject) as never)),
  )
}

/** Statements that share one Sync. `pg` calls its methods as the answers arrive. */
class Together {
  private readonly results: Row[][] = []
  private rows: Row[] = []
  private names: string[] = []
  private parsers: ((text: string) => unknown)[] = []
  /** A row of nulls. A copy of it gets the memory of all columns at once, not column by column. */
  private empty: Row = {}
  private readonly newNames: string[] = []
  /** `pg` gives every query a callback. */
  callback: (() => void) | undefined = () => undefined

  private readonly known: Known
  private readonly calls: readonly Sent[]
  private readonly resolve: (results: Row[][]) => void
  private readonly reject: (error: unknown) => void

  constructor(known: Known, calls: readonly Sent[], resolve: typeof this.resolve, reject: typeof this.reject) {
    this.known = known
    this.calls = calls
    this.resolve = resolve
    this.reject = reject
  }

  submit(connection: Connection): void {
    const { parsed, uncertain, keepsNames } = this.known
    connection.stream.cork()
    for (const { statement, values } of this.calls) {
      const name = keepsNames ? statement.name : ''
      if (!name || !parsed.has(name)) {
        if (uncertain.delete(name)) connection.close({ type: 'S', name })
        connection.parse({ name, text: statement.text })
        if (name) this.newNames.push(name)
        if (name) parsed.set(name, statement.text)
      }
      connection.bind({ statement: name, values })
      connection.describe({ type: 'P' })
      connection.execute({})
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.names = fields.map(({ name }) => name)
    this.parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
    this.empty = Object.fromEntries(this.names.map((name) => [name, null]))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row = { ...this.empty }
    for (let at = 0; at < fields.length; at++) {
      const text = fields[at] ?? null
      row[this.names[at]!] = text === null ? null : this.parsers[at]!(text)
    }
    this.rows.push(row)
  }

  handleCommandComplete(): void {
    this.results.push(this.rows)
    this.rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  handleReadyForQuery(): void {
    this.resolve(this.results)
  }

  handleError(error: Error): void {
    const { parsed, uncertain } = this.known
    const lost = isLostName(error)
    for (const name of lost ? [...parsed.keys()] : this.newNames) {
      parsed.delete(name)
      uncertain.add(name)
    }
    if (lost && (error as pg.DatabaseError).code !== '0A000') this.known.keepsNames = false
    this.reject(error)
  }
}

const { builtins, getTypeParser } = pg.types
const parserOf = (type: number): ((text: string) => unknown) =>
  type === (builtins.INT8 as number) ? BigInt : (getTypeParser(type, 'text') as (text: string) => unknown)

export function wireOf(value: Value): Wire {
  if (value === null) return null
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return arrayText(value as readonly Value[])
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const arrayText = (values: readonly Value[]): string => `{${values.map(elementText).join(',')}}`

function elementText(value: Value): string {
  if (Array.isArray(value)) return arrayText(value as readonly Value[])
  const wire = wireOf(value)
  if (wire === null) return 'NULL'
  const text = typeof wire === 'string' ? wire : `\\x${wire.toString('hex')}`
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`
}
