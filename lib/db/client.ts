import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { env } from '../core/env.ts'

/** The database roles that prisma/migrations creates. Their grants and row-level security policies are defined there. */
type DatabaseRole = 'vitrine_app' | 'vitrine_system' | 'vitrine_public'

function connect(role: DatabaseRole, url: string): PrismaClient {
  const connections = new pg.Pool({
    connectionString: url,
    options: `-c role=${role} -c timezone=UTC`,
    max: env.DATABASE_POOL,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: role,
  })
  // A restarting server may close a connection before pg has added its own error listener; without one the process would exit.
  connections.on('connect', (client) => void client.on('error', () => undefined))
  const adapter = new PrismaPg(connections, { disposeExternalPool: true })
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 15_000, timeout: 30_000 } })
}

// Next evaluates this module once per bundle; the pools are shared by all of them.
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

/** Sees one organization's rows, whose id must be set in the transaction. */
export const appClient = () => pool('vitrine_app', env.DATABASE_URL)
/** Sees all rows. For sign-in, look-ups by a secret, and workers. */
export const systemClient = () => pool('vitrine_system', env.DATABASE_URL)
/** Sees published rows, read only; on the read replica where one is configured. */
export const publicClient = () => pool('vitrine_public', env.DATABASE_READ_URL || env.DATABASE_URL)

const shared = globalThis as { vitrineRatePool?: pg.Pool | undefined }

/** The rate limiter's pool, since its library writes its own SQL. */
export const rateLimitPool = (): pg.Pool =>
  (shared.vitrineRatePool ??= new pg.Pool({
    connectionString: env.DATABASE_URL,
    options: '-c role=vitrine_system',
    max: 4,
    application_name: 'vitrine_rates',
  }).on(
    'error',
    () => undefined, // an idle connection was lost; the next query opens another
  ))

export async function disconnect(): Promise<void> {
  await Promise.all([...pools.values()].map((client) => client.$disconnect()))
  pools.clear()
  await shared.vitrineRatePool?.end()
  shared.vitrineRatePool = undefined
}
