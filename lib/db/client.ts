import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { env } from '../core/env.ts'
import { oncePerProcess } from '../core/once-per-process.ts'
import { DatabaseClient } from './database-client.ts'
import { fromDatabase } from './errors.ts'
import { loginUrl } from './logins.ts'
import { PrismaConnection } from './prisma-connection.ts'
import type { DatabaseRole } from './session.ts'

const statements = oncePerProcess('statement limit', () => ({ maxMs: 0 }))

/**
 * How long a statement of this process may take; 0: as long as its login may (lib/db/session.ts). For the web process
 * and the worker, before their first connection: a request that nobody waits for any more, or a task that hangs, must
 * not keep one.
 */
export function limitStatements(maxMs: number): void {
  statements.maxMs = maxMs
}

/**
 * Limits a new connection's statements; the pool waits for the promise. Behind a pooler the server's connection isn't
 * this client's own, and the limit would hold for whoever gets it next: there is none.
 */
function limitStatementsOf(client: pg.ClientBase): unknown {
  if (statements.maxMs === 0) return undefined
  const { processID } = client as pg.ClientBase & { processID: number }
  return client.query("SELECT set_config('statement_timeout', $1, false) WHERE pg_backend_pid() = $2", [
    String(statements.maxMs),
    processID,
  ])
}

/** A connection whose server vanished without a word is noticed, and ends, while it waits for an answer or is idle. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/**
 * Connections of a role that stay open while they are idle, in the web process and the worker: a new one parses and
 * plans anew what is asked often. Commands end when theirs are closed.
 */
const KEPT_OPEN = 2

/** A pool whose errors count as the database's (errors.ts). */
class DatabasePool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super(config)
    this.on('error', () => undefined) // an idle connection was lost; the next statement opens another
  }

  override connect = ((...asked: []) => fromDatabase(super.connect(...asked))) as pg.Pool['connect']

  override query = ((...asked: [string]) => fromDatabase(super.query(...asked))) as pg.Pool['query']
}

/** A role's connections, which Prisma and the statements of lib/db/statements.ts share. */
type RolePool = { connections: pg.Pool; client: PrismaClient }

function connect(role: DatabaseRole, url: string): RolePool {
  const connections = new DatabasePool({
    Client: PrismaConnection,
    connectionString: loginUrl(url, role),
    max: env.DATABASE_POOL,
    min: statements.maxMs > 0 ? Math.min(KEPT_OPEN, env.DATABASE_POOL) : 0,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: role,
    onConnect: limitStatementsOf,
  })
  const adapter = new PrismaPg(connections, { disposeExternalPool: true })
  const client = new PrismaClient({ adapter, transactionOptions: { maxWait: 15_000, timeout: 30_000 } })
  return { connections, client }
}

const pools = oncePerProcess('database pools', () => new Map<string, RolePool>())

function pool(role: DatabaseRole): RolePool {
  const known = pools.get(role)
  if (known) return known
  const url = role === 'vitrine_public' ? env.DATABASE_READ_URL || env.DATABASE_URL : env.DATABASE_URL
  const made = connect(role, url)
  pools.set(role, made)
  return made
}

/** The connections of a role, for statements that are sent without Prisma. */
export const connectionsOf = (role: DatabaseRole): pg.Pool => pool(role).connections

/** Sees one organization's rows, whose id must be set in the transaction. */
export const appClient = () => pool('vitrine_app').client
/** Sees all rows. For sign-in, look-ups by a secret, and workers. */
export const systemClient = () => pool('vitrine_system').client
/** Sees published rows, read only; on the read replica where one is configured. */
export const publicClient = () => pool('vitrine_public').client

/**
 * For statements that one of our libraries or modules writes itself, one at a time and never in a transaction of
 * several.
 */
const plainPools = oncePerProcess('plain database pools', () => new Map<string, pg.Pool>())

/**
 * Sends statements without names: a pooler in transaction mode may run the next one on another connection, which
 * doesn't know the name.
 */
class UnnamedStatements extends DatabaseClient {
  override query = ((statement: string | pg.QueryConfig, ...rest: [unknown[]]) => {
    if (typeof statement === 'object') delete statement.name
    return fromDatabase(super.query(statement, ...rest))
  }) as pg.Client['query']
}

function plainPool(name: string, max: number): pg.Pool {
  const known = plainPools.get(name)
  if (known) return known
  const connections = new DatabasePool({
    Client: UnnamedStatements,
    connectionString: loginUrl(env.DATABASE_URL, 'vitrine_system'),
    max,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: 10_000,
    application_name: name,
    onConnect: limitStatementsOf,
  })
  plainPools.set(name, connections)
  return connections
}

/** The rate limits' own pool: requests are counted however busy the others are. */
export const rateLimitPool = (): pg.Pool => plainPool('vitrine_rates', 2)

/** The leases' own pool: they are renewed in time however busy the others are. */
export const leasePool = (): pg.Pool => plainPool('vitrine_leases', 2)

export async function disconnect(): Promise<void> {
  const open = [...pools.values()]
  const plain = [...plainPools.values()]
  pools.clear()
  plainPools.clear()
  await Promise.all([
    ...open.map(async ({ client, connections }) => {
      await client.$disconnect()
      if (!connections.ending) await connections.end() // Prisma ends those that it has used itself.
    }),
    ...plain.map((each) => each.end()),
  ])
}
