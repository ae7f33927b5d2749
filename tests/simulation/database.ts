import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { type Actor, currentActor, Killed, type Process, runOutside, type Scheduler } from './scheduler.ts'
import { withSimulatedTime } from './simulated-sql.ts'

/** The parts of pg's client that the gate needs. */
type Query = { text?: string; values?: unknown[]; calls?: { statement: { name: string }; values: unknown[] }[] } & {
  submit(connection: unknown): Error | null | undefined
  handleError(error: Error, connection: unknown): void
}
type Client = Omit<pg.Client, 'connection'> & {
  connection: {
    query(text: string): void
    once(event: 'end', listener: () => void): void
    stream: { pause(): void; resume(): void }
    _connecting: boolean
  }
  processID: number
  readyForQuery: boolean
  _queryQueue: Query[]
  _activeQuery: unknown
  _txStatus: string | null
  _ended: boolean
}
type Method = (this: Client, ...args: any[]) => any
type Statement = {
  actor: Actor
  query: Query
  fault: string | null
  /** It waits for a lock since then. */
  blockedAt: number | null
  isCancelled: boolean
  error: Error | null
}

/**
 * What may befall a statement: its connection breaks before or after it is carried out, or PostgreSQL asks to repeat
 * the transaction.
 */
const DATABASE_FAULTS = ['connection cut before', 'connection cut after', 'transaction refused']
/** As the product's own lock_timeout (lib/db/session.ts), by the simulated clock. */
const LOCK_TIMEOUT_MS = 5_000
/** PostgreSQL's clock is behind ours by up to this, so that it needn't be set before each statement. */
const CLOCK_STEP_MS = 200

export type DatabaseGate = ReturnType<typeof openDatabaseGate>

/**
 * Makes each statement of an actor a step of the scheduler: it is sent when its turn comes, and one that waits for a
 * lock lets others go on. `side` is a connection that sees the server's locks and may end other connections.
 */
export function openDatabaseGate(scheduler: Scheduler, side: pg.Client, clock: () => number) {
  const prototype = pg.Client.prototype as unknown as Record<string, Method>
  const original = { ...methodsOf(prototype) }
  const owners = new WeakMap<Query, Actor | null>()
  const atGate = new WeakSet<Client>()
  const statements = new Map<Client, Statement>()
  /** Who used a connection last. */
  const users = new Map<Client, Actor>()
  let serverMs = -1
  /** Whether a lock may have been given back since it was looked last. */
  let mayBeFreed = false
  /**
   * Server processes that wait for a lock and stand still, so that those that get theirs at once go on one after the
   * other.
   */
  const stopped = new Set<number>()
  const stop = (pid: number) => {
    process.kill(pid, 'SIGSTOP')
    stopped.add(pid)
  }
  const letGo = (pid: number) => {
    if (stopped.delete(pid)) process.kill(pid, 'SIGCONT')
  }
  process.once('exit', () => {
    for (const pid of stopped) letGo(pid)
  })

  const ask = <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    runOutside(() => side.query<T>(text, values))

  async function setServerClock(): Promise<void> {
    const ms = Math.floor(clock())
    if (Math.abs(ms - serverMs) < CLOCK_STEP_MS) return
    serverMs = ms
    await ask('UPDATE simulation.clock SET at = to_timestamp($1::float / 1000)', [ms])
  }

  /** Ends connections at the server, and waits until it has given their locks back and their clients know. */
  async function cut(clients: readonly Client[]): Promise<void> {
    for (const client of clients) {
      scheduler.begin()
      client.once('end', () => scheduler.end())
      client.connection.stream.resume()
      client.on('error', () => undefined)
    }
    mayBeFreed = true
    for (const { processID } of clients) letGo(processID)
    const pids = [clients.map(({ processID }) => processID)]
    await ask('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', pids)
    // A client may close its side before the server's process has ended. A wait by PostgreSQL itself takes a tenth of a
    // second.
    while ((await ask('SELECT 1 FROM pg_stat_activity WHERE pid = ANY($1::int[])', pids)).rows.length > 0)
      await ask('SELECT pg_sleep(0.001)')
  }

  function answered(client: Client): void {
    const statement = statements.get(client)
    if (!statement) return
    statements.delete(client)
    if (statement.blockedAt === null) scheduler.end()
  }

  async function perform(client: Client, query: Query, actor: Actor): Promise<void> {
    let fault: string | null
    try {
      fault = await scheduler.ask(actor, describe(query), DATABASE_FAULTS)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      atGate.delete(client)
      if (client._queryQueue.includes(query)) await cut([client])
      return
    }
    scheduler.begin()
    await setServerClock()
    scheduler.end()
    atGate.delete(client)
    if (!client._queryQueue.includes(query)) return // the connection was lost meanwhile
    users.set(client, actor)
    if (fault === 'connection cut before') return cut([client])
    scheduler.begin()
    statements.set(client, { actor, query, fault, blockedAt: null, isCancelled: false, error: null })
    if (fault === null) return void original.pulse.call(client)
    client._queryQueue.shift()
    client.readyForQuery = false
    client._activeQuery = new Unheard(statements.get(client)!)
    if (fault === 'transaction refused') client.connection.query(REFUSED)
    else query.submit(client.connection)
  }

  prototype._pulseQueryQueue = function () {
    const asking = currentActor() ?? null
    for (const query of this._queryQueue) if (!owners.has(query)) owners.set(query, asking)
    const [query] = this._queryQueue
    const actor = query && owners.get(query)
    if (!query || !actor) return original.pulse.call(this)
    if (!this.readyForQuery || atGate.has(this)) return
    atGate.add(this)
    void perform(this, query, actor)
  }

  prototype._handleReadyForQuery = function (message) {
    const statement = statements.get(this)
    if (message.status !== 'T' || /rollback/i.test(statement?.query.text ?? '')) mayBeFreed = true
    answered(this)
    if (!statement?.fault) return original.ready.call(this, message)
    if (statement.fault === 'connection cut after') {
      this._activeQuery = statement.query
      return void cut([this])
    }
    this._activeQuery = null
    this._txStatus = message.status
    this.readyForQuery = true
    statement.query.handleError(statement.error!, this.connection)
    prototype._pulseQueryQueue!.call(this)
  }

  prototype._handleErrorMessage = function (message) {
    if (statements.get(this)?.isCancelled && message.code === '57014')
      Object.assign(message, { code: '55P03', message: 'canceling statement due to lock timeout' })
    return original.error.call(this, message)
  }

  prototype._errorAllQueries = function (error) {
    // The connection was lost before the server answered a statement that its client gets no answer to.
    const unheard = statements.get(this)
    if (unheard?.fault) this._activeQuery = unheard.query
    answered(this)
    users.delete(this)
    return original.lost.call(this, error)
  }

  // One after the other: statements of one actor at a time are told apart by their order alone.
  let connecting: Promise<unknown> = Promise.resolve()
  prototype._connect = function (done) {
    const isActors = currentActor() !== undefined
    if (isActors) scheduler.begin()
    const isConnected = Promise.withResolvers<void>()
    void connecting.then(() =>
      original.connect.call(this, (...answer: unknown[]) => {
        isConnected.resolve()
        if (isActors) scheduler.end()
        done(...answer)
      }),
    )
    connecting = isConnected.promise
  }

  // A pool gives the place of a connection to the next who waits once that has ended.
  prototype.end = function (done?: () => void) {
    if (this.connection._connecting && !this._ended) {
      scheduler.begin()
      this.connection.once('end', () => scheduler.end())
    }
    return original.end.call(this, done)
  }

  // A query that waits for a connection belongs to whoever asked for it, not to whoever gives one back.
  const pool = pg.Pool.prototype as unknown as Record<string, Method>
  const { connect } = pool
  pool.connect = function (done?: (...answer: unknown[]) => void) {
    return connect!.call(this, done && AsyncLocalStorage.bind(done))
  }

  const connection = (pg as unknown as { Connection: { prototype: Record<string, Method> } }).Connection.prototype
  const { query: sendText, parse } = connection
  connection.query = function (text: string) {
    return sendText!.call(this, withSimulatedTime(text))
  }
  connection.parse = function (message: { text: string }, ...rest: unknown[]) {
    return parse!.call(this, { ...message, text: withSimulatedTime(message.text) }, ...rest)
  }

  async function findWaiting(clients: readonly Client[]): Promise<Set<number>> {
    const { rows } = await ask<{ pid: number }>(
      'SELECT pid FROM unnest($1::int[]) AS pid WHERE cardinality(pg_blocking_pids(pid)) > 0',
      [clients.map(({ processID }) => processID)],
    )
    return new Set(rows.map(({ pid }) => pid))
  }

  /**
   * Whether a process waits for a lock again, once it isn't at work any more. PostgreSQL looks at processes one after
   * the other, so it is asked twice.
   */
  async function stillWaits({ processID }: Client): Promise<boolean> {
    for (let before: boolean | null = null; ;) {
      const { rows } = await ask<{ waits: boolean; works: boolean }>(
        `SELECT cardinality(pg_blocking_pids(pid)) > 0 AS waits, state = 'active' AND wait_event IS DISTINCT FROM 'ClientWrite' AS works
         FROM pg_stat_activity WHERE pid = $1`,
        [processID],
      )
      const { waits, works } = rows[0] ?? { waits: false, works: false }
      if ((waits || !works) && waits === before) return waits
      before = waits || !works ? waits : null
      if (before === null) await ask('SELECT pg_sleep(0.001)')
    }
  }

  return {
    /** Finds the statements without an answer that wait for a lock: others may go on. */
    async findBlocked(): Promise<void> {
      const clients = [...statements].filter(([, { blockedAt }]) => blockedAt === null).map(([client]) => client)
      const waiting = await findWaiting(clients)
      for (const client of clients) {
        const statement = statements.get(client)
        if (!statement || statement.blockedAt !== null || !waiting.has(client.processID)) continue
        statement.blockedAt = clock()
        client.connection.stream.pause() // its answer must not come before it is woken
        stop(client.processID)
        scheduler.note(statement.actor.name, 'waits for a lock')
        scheduler.count('waited for a lock')
        scheduler.end()
      }
    },

    /**
     * Has the first of those that got their lock go on, or ends the wait of the first that waited too long. Whether
     * there was one.
     */
    async wakeBlocked(): Promise<boolean> {
      const clients = [...statements].filter(([, { blockedAt }]) => blockedAt !== null).map(([client]) => client)
      const isLate = ({ blockedAt }: Statement) => clock() - blockedAt! >= LOCK_TIMEOUT_MS
      if (!mayBeFreed && !clients.some((client) => isLate(statements.get(client)!))) return false
      mayBeFreed = clients.length > 0
      for (const client of clients) {
        const statement = statements.get(client)!
        const isOver = isLate(statement)
        const waits = (await findWaiting([client])).has(client.processID)
        if (waits && !isOver) continue
        letGo(client.processID)
        if (!waits && (await stillWaits(client))) {
          stop(client.processID) // for its next lock
          continue
        }
        statement.blockedAt = null
        scheduler.begin()
        client.connection.stream.resume()
        if (waits) {
          statement.isCancelled = true
          scheduler.note(statement.actor.name, 'waited too long for a lock')
          scheduler.count('lock time-out')
          await ask('SELECT pg_cancel_backend($1)', [client.processID])
        }
        return true
      }
      mayBeFreed = false
      return false
    },

    /** Breaks all connections that a killed process was using. */
    async cutAll(of: Process): Promise<void> {
      const used = [...users].filter(
        ([client, { process }]) => process === of && (statements.has(client) || (client._txStatus ?? 'I') !== 'I'),
      )
      await cut(used.map(([client]) => client))
    },
    setServerClock,
  }
}

const REFUSED = `DO $$ BEGIN RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; END $$`

/** Takes the answers of a statement whose client never gets them. */
class Unheard {
  private readonly statement: Statement
  constructor(statement: Statement) {
    this.statement = statement
  }
  handleError(error: Error): void {
    this.statement.error = error
  }
  handleRowDescription = () => undefined
  handleDataRow = () => undefined
  handleCommandComplete = () => undefined
  handleEmptyQuery = () => undefined
  handlePortalSuspended = () => undefined
  handleReadyForQuery = () => undefined
}

const methodsOf = (prototype: Record<string, Method>) => ({
  pulse: prototype._pulseQueryQueue!,
  ready: prototype._handleReadyForQuery!,
  error: prototype._handleErrorMessage!,
  lost: prototype._errorAllQueries!,
  connect: prototype._connect!,
  end: prototype.end!,
})

function describe({ text, values, calls }: Query): string {
  // Which of several new connections it is, and so whether its server is asked for its id first, is chance.
  const told = calls?.filter(({ statement }) => statement.name !== 'server_pid')
  if (told) return told.map(({ statement, values }) => `${statement.name}(${shown(values)})`).join('; ')
  return `${(text ?? '').replace(/\s+/g, ' ').trim()}${values?.length ? ` -- ${shown(values)}` : ''}`
}

const shown = (values: readonly unknown[]): string =>
  JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
