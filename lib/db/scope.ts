import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import { appClient, connectionsOf, systemClient } from './client.ts'
import { confine, READS, type Row } from './confine.ts'
import { assertLease, type Lease } from './leases.ts'
import { withModelCalls } from './model-calls.ts'
import {
  BECOME_ORGANIZATION,
  COMMIT_ALL,
  LATER,
  SET_FOR_EACH,
  SET_FOR_EACH_READ,
  SET_ORGANIZATION,
} from './prisma-connection.ts'
import { retryingRaces, writing } from './retrying-races.ts'
import { rowsTogether } from './rows-together.ts'
import type { DatabaseRole } from './session.ts'
import { type Call, PLAN_BY_KEYS, runAlone, type Statement, type Value } from './statements.ts'
import { written } from './written.ts'

/** Further conditions of every transaction on an organization's rows. */
export type Bounds = {
  /** It fails when another process has the task. */
  lease?: Lease | undefined
  /** TEST: a write of a row that is LIVE fails, whichever statement it comes from (prisma/migrations: refuse_live). */
  mode?: 'TEST' | undefined
  /** Once it is aborted nothing more is begun: its reason is thrown. What was begun goes on. */
  signal?: AbortSignal | undefined
  /** Rows that are asked for at the same time outside a transaction are read in one round trip. */
  together?: boolean
}

/**
 * The first statement of a transaction on one organization's rows. The lease, if there is one, is checked in the same
 * round trip.
 */
async function setOrganization(tx: RawClient, organizationId: string, { lease, mode }: Bounds): Promise<void> {
  await tx.$queryRawUnsafe(SET_ORGANIZATION, organizationId, mode ?? '')
  if (lease) await tx.$queryRaw(fence(lease))
}

/** Model calls confined to one organization, for use inside a transaction that has set the organization. */
const confined = (organizationId: string, client: object): Db =>
  withModelCalls(client, async (delegate, model, operation, args) =>
    delegate[operation]!(confine(organizationId, model, operation, args)),
  )

/** How a call outside a transaction runs, so that row-level security knows the organization. */
type Alone = <T>(call: Prisma.PrismaPromise<T>, sends: 'reads' | 'one statement' | 'writes') => Promise<T>

/**
 * Each statement of a call that only reads is a transaction of its own, a single statement too; other calls run in a
 * short one.
 */
const aloneIn =
  (client: PrismaClient, organizationId: string, { lease, mode, signal }: Bounds): Alone =>
  async (call, sends) => {
    signal?.throwIfAborted()
    const isFenced = lease && sends !== 'reads'
    const settings =
      sends === 'reads' ? SET_FOR_EACH_READ : sends === 'writes' || isFenced ? SET_ORGANIZATION : SET_FOR_EACH
    const before = client.$queryRawUnsafe(settings, organizationId, mode ?? '')
    const results = await client.$transaction([before, ...(isFenced ? [client.$queryRaw(fence(lease))] : []), call])
    if (sends === 'writes') written()
    return results.at(-1) as Awaited<typeof call>
  }

/** Model calls confined to one organization, for use outside a transaction. */
const confinedAlone = (client: PrismaClient, organizationId: string, alone: Alone): Db =>
  withModelCalls(client, async (delegate, model, operation, args) => {
    const call = delegate[operation]!(confine(organizationId, model, operation, args)) as Prisma.PrismaPromise<unknown>
    return alone(call, READS.has(operation) ? 'reads' : 'writes')
  })

/** A scoped client as verbs see it: models and raw statements, no way to another organization. */
export type Db = Omit<
  Prisma.TransactionClient,
  '$executeRawUnsafe' | '$queryRawUnsafe' | '$extends' | '$connect' | '$disconnect' | '$on' | '$use'
>

/** Runs a raw statement under row-level security and returns its rows. */
type Sql = <T = Row>(statement: Prisma.Sql) => Promise<T[]>

/** The rows that a caller can reach, inside a transaction or one call at a time. */
export type Reach = {
  db: Db
  sql: Sql
  /** The rows of a statement that is sent often, in one round trip. Outside a transaction it only reads. */
  rows: <T = Row>(statement: Statement, ...values: Value[]) => Promise<T[]>
  /**
   * Writes by a statement whose answer nobody needs. In a transaction it goes out with the next statement or with the
   * end, and fails then.
   */
  later: (statement: Statement, ...values: Value[]) => Promise<void>
}

export type Scope = Reach & {
  /** Runs `work` in one database transaction; deadlocks and serialization failures are tried again. */
  transaction: <T>(work: (reach: Reach) => Promise<T>) => Promise<T>
}

/** Every organization's rows, and the one way from there to the rows of one. */
export type SystemReach = Reach & {
  /**
   * Runs `work` on one organization's rows: in this transaction, if it is one. At most one is open in a transaction.
   */
  within: <T>(organizationId: string, work: (scope: Scope) => Promise<T>) => Promise<T>
}

export type SystemScope = SystemReach & {
  transaction: <T>(work: (reach: SystemReach) => Promise<T>) => Promise<T>
}

type RawClient = Pick<PrismaClient, '$queryRaw' | '$queryRawUnsafe' | '$executeRawUnsafe'>
export const reach = (db: unknown, raw: RawClient, rows: Reach['rows'] = inOpen(raw)): Reach => ({
  db: db as Db,
  sql: (statement) => raw.$queryRaw(statement),
  rows,
  later: async ({ text }, ...values) => void (await raw.$executeRawUnsafe(`${text} ${LATER}`, ...values)),
})

/** In Prisma's open transaction a statement goes out as any other. */
const inOpen =
  (raw: RawClient): Reach['rows'] =>
  ({ text }, ...values) =>
    raw.$queryRawUnsafe(text, ...values)

/** Outside a transaction a statement goes out in one round trip, after those that set what it may see. */
export const rowsAlone =
  (role: DatabaseRole, signal: AbortSignal | undefined, ...before: Call[]): Reach['rows'] =>
  async <T>(statement: Statement, ...values: Value[]) => {
    const results = await runAlone(connectionsOf(role), [...before, { statement, values }], signal)
    return results.at(-1) as T[]
  }

const READ_ONLY: Call = {
  statement: { name: 'read_only', text: "SELECT set_config('transaction_read_only', 'on', true)" },
  values: [],
}

const READ_ORGANIZATION: Statement = {
  name: 'read_organization',
  text: SET_FOR_EACH_READ,
}

/** Everything a verb can do with one organization's rows. */
export function organizationScope(organizationId: string, bounds: Bounds = {}): Scope {
  const client = appClient()
  const alone = aloneIn(client, organizationId, bounds)
  return {
    db: confinedAlone(client, organizationId, alone),
    sql: (statement) =>
      (isRead(statement.sql) ? retryingRaces : writing)(() => alone(client.$queryRaw(statement), 'one statement')),
    later: async ({ text }, ...values) =>
      void (await writing(() => alone(client.$executeRawUnsafe(text, ...values), 'one statement'))),
    rows: (bounds.together ? rowsTogether : rowsAlone)('vitrine_app', bounds.signal, {
      statement: READ_ORGANIZATION,
      values: [organizationId, bounds.mode ?? ''],
    }),
    transaction: (work) =>
      writing(async () => {
        bounds.signal?.throwIfAborted()
        return client.$transaction(async (tx) => {
          await setOrganization(tx, organizationId, bounds)
          const result = await work(reach(confined(organizationId, tx), tx))
          await tx.$executeRawUnsafe(COMMIT_ALL)
          return result
        })
      }),
  }
}

/**
 * Makes a value of a client at the first call, and gives the same one from then on. Extending a client costs more than
 * the statement that it is for.
 */
export function madeOnce<T>(
  known: WeakMap<PrismaClient, T>,
  client: PrismaClient,
  make: (client: PrismaClient) => T,
): T {
  const made = known.get(client) ?? make(client)
  known.set(client, made)
  return made
}

/**
 * Every organization's rows, for sign-in and workers. A verb gets an organization's scope instead. With a lease, every
 * transaction and every write fails once another process has the task.
 */
export function systemScope(lease?: Lease): SystemScope {
  const client = systemClient()
  return {
    ...(lease ? fencedAlone(client, lease) : unfencedAlone(client)),
    within: (organizationId, work) => work(organizationScope(organizationId, { lease })),
    transaction: (work) =>
      writing(() =>
        client.$transaction(async (tx) => {
          if (lease) await tx.$queryRaw(fence(lease))
          const result = await work(systemReach(tx))
          await tx.$executeRawUnsafe(COMMIT_ALL)
          return result
        }),
      ),
  }
}

const fence = (lease: Lease) => Prisma.sql`SELECT ${assertLease(lease)}::text`

function unfencedAlone(client: PrismaClient): Reach {
  const own = reach(client, client, rowsAlone('vitrine_system', undefined, READ_ONLY))
  return { ...own, later: (...write) => own.later(...write).then(written) }
}

const READ_BY_KEYS: Call = {
  statement: { name: 'read_by_keys', text: `SELECT set_config('transaction_read_only', 'on', true), ${PLAN_BY_KEYS}` },
  values: [],
}

/**
 * The rows of a statement that finds them by keys in tables of all organizations, in one round trip; with the rights of
 * vitrine_system.
 */
export const rowsByKeys: Reach['rows'] = rowsAlone('vitrine_system', undefined, READ_BY_KEYS)

/** A SELECT outside a transaction: none of our functions that it could call writes anything. */
const isRead = (statement: string): boolean => /^\s*SELECT\b/i.test(statement)

/**
 * Model calls and statements outside a transaction: each that may write runs in a short one of its own, fenced by the
 * lease.
 */
function fencedAlone(client: PrismaClient, lease: Lease): Reach {
  const fenced = async <T>(call: Prisma.PrismaPromise<T>): Promise<T> => {
    const [, result] = await client.$transaction([client.$queryRaw(fence(lease)), call])
    written()
    return result
  }
  const db = withModelCalls(client, (delegate, _, operation, args) => {
    const call = delegate[operation]!(args)
    return READS.has(operation) ? call : fenced(call as Prisma.PrismaPromise<unknown>)
  })
  return {
    db,
    sql: <T>(statement: Prisma.Sql) => {
      const call = client.$queryRaw<T[]>(statement)
      return isRead(statement.sql) ? call : fenced(call)
    },
    later: async ({ text }, ...values) => void (await fenced(client.$executeRawUnsafe(text, ...values))),
    rows: rowsAlone('vitrine_system', undefined, READ_ONLY),
  }
}

/** A worker's transaction. While an organization is open in it, only that organization's scope can be used. */
function systemReach(tx: Prisma.TransactionClient): SystemReach {
  const raw = tx as unknown as RawClient
  let open: string | null = null
  const assertNoneOpen = (): void => {
    if (open !== null) throw new Error(`Organization ${open} is open in this transaction: use its context.`)
  }
  const all = reach(
    withModelCalls(tx, async (delegate, _, operation, args) => {
      assertNoneOpen()
      return delegate[operation]!(args)
    }),
    raw,
  )
  return {
    db: all.db,
    sql: async (statement) => {
      assertNoneOpen()
      return all.sql(statement)
    },
    rows: async (statement, ...values) => {
      assertNoneOpen()
      return all.rows(statement, ...values)
    },
    later: async (statement, ...values) => {
      assertNoneOpen()
      return all.later(statement, ...values)
    },
    async within(organizationId, work) {
      assertNoneOpen()
      open = organizationId
      try {
        // Without the role, the transaction would keep the rights of vitrine_system, which row-level security doesn't
        // confine.
        await raw.$queryRawUnsafe(BECOME_ORGANIZATION, organizationId)
        const own = reach(confined(organizationId, tx), raw)
        const result = await work({ ...own, transaction: (inner) => inner(own) })
        await raw.$queryRaw(becomeWorker) // Statements held back go out with it, and may fail.
        return result
      } catch (error) {
        // An aborted transaction takes no statement any more; its rollback restores role and organization as well.
        await raw.$queryRaw(becomeWorker).catch(() => undefined)
        throw error
      } finally {
        open = null
      }
    },
  }
}

const becomeWorker = Prisma.sql`SELECT set_config('vitrine.organization_id', '', true),
    set_config('role', 'none', true)`
