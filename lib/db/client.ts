import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { env } from '../core/env.ts'

/** The database roles of prisma/migrations: what each may see is decided there, not here. */
export type DatabaseRole = 'vitrine_app' | 'vitrine_system' | 'vitrine_public'

function connect(role: DatabaseRole, url: string): PrismaClient {
  const connections = new pg.Pool({
    connectionString: url,
    options: `-c role=${role} -c timezone=UTC`,
    max: env.DATABASE_POOL,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: role,
  })
  // A server that restarts may end a connection in the very packet that opens it, before anybody listens: that must not end us.
  connections.on('connect', (client) => void client.on('error', () => undefined))
  const adapter = new PrismaPg(connections, { disposeExternalPool: true })
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 15_000, timeout: 30_000 } })
}

// Next's bundles evaluate this module more than once in a process; the pools are made once.
const pools = ((globalThis as { vitrinePools?: Map<string, PrismaClient> }).vitrinePools ??= new Map<
  string,
  PrismaClient
>())

function pool(role: DatabaseRole, url: string): PrismaClient {
  const known = pools.get(role)
  if (known) return known
  const client = connect(role, url)
  pools.set(role, client)
  return client
}

/** One organization's rows, once its id is set in the transaction. */
export const appClient = () => pool('vitrine_app', env.DATABASE_URL)
/** Everything: sign-in, look-ups by secret, workers. */
export const systemClient = () => pool('vitrine_system', env.DATABASE_URL)
/** What is published, read only. */
export const publicClient = () => pool('vitrine_public', env.DATABASE_READ_URL || env.DATABASE_URL)

const shared = globalThis as { vitrineRatePool?: pg.Pool | undefined }

/** For the rate limiter, which brings its own statements. */
export const rateLimitPool = (): pg.Pool =>
  (shared.vitrineRatePool ??= new pg.Pool({
    connectionString: env.DATABASE_URL,
    options: '-c role=vitrine_system',
    max: 4,
    application_name: 'vitrine_rates',
  }).on(
    'error',
    () => undefined, // a lost idle connection; the next query opens another
  ))

export async function disconnect(): Promise<void> {
  await Promise.all([...pools.values()].map((client) => client.$disconnect()))
  pools.clear()
  await shared.vitrineRatePool?.end()
  shared.vitrineRatePool = undefined
}
