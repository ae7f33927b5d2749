import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import { appClient, connectionsOf, publicClient, systemClient } from './client.ts'
import { type Args, confine, OWNER, PUBLISHED, READS, type Row } from './confine.ts'
import { isTransactionConflict } from './errors.ts'
import { assertLease, type Lease } from './leases.ts'
import type { DatabaseRole } from './session.ts'
import { type Call, runAlone, type Statement, type Value } from './statements.ts'

/** What else holds for every transaction on an organization's rows. */
export type Bounds = {
  /** It fails when another process has the task. */
  lease?: Lease | undefined
  /** TEST: a write of a row that is LIVE fails, whichever statement it comes from (prisma/migrations: refuse_live). */
  mode?: 'TEST' | undefined
}

/** The first statement of a transaction on one organization's rows. */
const setOrganization = (organizationId: string, { lease, mode }: Bounds) => {
  const settings = Prisma.sql`set_config('vitrine.organization_id', ${organizationId}, true), set_config('vitrine.mode', ${mode ?? ''}, true)`
  return lease ? Prisma.sql`SELECT ${settings}, ${assertLease(lease)}::text` : Prisma.sql`SELECT ${settings}`
}

const MODELS: ReadonlyMap<string | symbol, Prisma.ModelName> = new Map(
  (Object.keys(OWNER) as Prisma.ModelName[]).map((model) => [`${model[0]!.toLowerCase()}${model.slice(1)}`, model]),
)

type Delegate = Record<string, (args: object) => PromiseLike<unknown>>

/** The client with `call` in place of its model calls. Prisma's own `$extends` isn't there inside a transaction. */
function withModelCalls(
  client: object,
  call: (delegate: Delegate, model: Prisma.ModelName, operation: string, args: Args) => PromiseLike<unknown>,
): Db {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      const model = MODELS.get(name)
      if (!model) return value
      const delegate = value as Delegate
      return new Proxy(delegate, {
        get:
          (_, operation) =>
          (args: Args = {}) =>
            call(delegate, model, String(operation), args),
      })
    },
  }) as Db
}

/** Model calls confined to one organization, for use inside a transaction that has set the organization. */
const confined = (organizationId: string, client: object): Db =>
  withModelCalls(client, async (delegate, model, operation, args) =>
    delegate[operation]!(confine(organizationId, model, operation, args)),
  )

/** The same outside a transaction: each call runs in a short one of its own, so that row-level security knows the organization. */
const confinedAlone = (organizationId: string, bounds: Bounds): Db => {
  const client = appClient()
  return withModelCalls(client, async (delegate, model, operation, args) => {
    const call = delegate[operation]!(confine(organizationId, model, operation, args)) as Prisma.PrismaPromise<unknown>
    const [, result] = await client.$transaction([
      client.$queryRaw(setOrganization(organizationId, READS.has(operation) ? {} : bounds)),
      call,
    ])
    return result
  })
}

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
  /** The same for libraries that pass SQL as text: the job queue. */
  statement: (text: string, values: unknown[]) => Promise<Row[]>
  /** The rows of a statement that is sent often, in one round trip. Outside a transaction it only reads. */
  rows: <T = Row>(statement: Statement, ...values: Value[]) => Promise<T[]>
}

export type Scope = Reach & {
  /** Runs `work` in one database transaction; deadlocks and serialization failures are tried again. */
  transaction: <T>(work: (reach: Reach) => Promise<T>) => Promise<T>
}

/** Every organization's rows, and the one way from there to the rows of one. */
export type WorkerReach = Reach & {
  /** Runs `work` on one organization's rows: in this transaction, if it is one. At most one is open in a transaction. */
  within: <T>(organizationId: string, work: (scope: Scope) => Promise<T>) => Promise<T>
}

export type WorkerScope = WorkerReach & {
  transaction: <T>(work: (reach: WorkerReach) => Promise<T>) => Promise<T>
}

type RawClient = Pick<PrismaClient, '$queryRaw' | '$queryRawUnsafe'>
const reach = (db: unknown, raw: RawClient, rows: Reach['rows'] = inOpen(raw)): Reach => ({
  db: db as Db,
  sql: (statement) => raw.$queryRaw(statement),
  statement: (text, values) => raw.$queryRawUnsafe(text, ...values),
  rows,
})

/** In Prisma's open transaction a statement goes out as any other. */
const inOpen =
  (raw: RawClient): Reach['rows'] =>
  ({ text }, ...values) =>
    raw.$queryRawUnsafe(text, ...values)

/** Outside a transaction a statement goes out in one round trip, after those that set what it may see. */
const alone =
  (role: DatabaseRole, ...before: Call[]): Reach['rows'] =>
  async <T>(statement: Statement, ...values: Value[]) => {
    const results = await runAlone(connectionsOf(role), [...before, { statement, values }])
    return results.at(-1) as T[]
  }

const READ_ONLY: Call = {
  statement: { name: 'read_only', text: "SELECT set_config('transaction_read_only', 'on', true)" },
  values: [],
}

const READ_ORGANIZATION: Statement = {
  name: 'read_organization',
  text: "SELECT set_config('vitrine.organization_id', $1, true), set_config('vitrine.mode', $2, true), set_config('transaction_read_only', 'on', true)",
}

const RETRIES = 5
export async function retryingRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= RETRIES || !isTransactionConflict(error)) throw error
    }
  }
}

/** Everything a verb can do with one organization's rows. */
export function organizationScope(organizationId: string, bounds: Bounds = {}): Scope {
  const transaction: Scope['transaction'] = (work) =>
    retryingRaces(() =>
      appClient().$transaction(async (tx) => {
        await tx.$queryRaw(setOrganization(organizationId, bounds))
        return work(reach(confined(organizationId, tx), tx))
      }),
    )
  return {
    db: confinedAlone(organizationId, bounds),
    sql: (statement) => transaction(({ sql }) => sql(statement)),
    statement: (text, values) => transaction(({ statement }) => statement(text, values)),
    rows: alone('vitrine_app', { statement: READ_ORGANIZATION, values: [organizationId, bounds.mode ?? ''] }),
    transaction,
  }
}

/** Everything published, of all organizations; read only. `listed: false` also shows what is deployed but in private collections. */
export function publishedScope({ listed }: { listed: boolean }): Scope {
  const client: PrismaClient = publicClient()
  const db = client.$extends({
    name: 'published',
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const visible = PUBLISHED[model]
          if (!visible || !READS.has(operation)) throw new Error(`${model}.${operation} is not open to the public.`)
          const where = (args as Args).where
          const unique = operation.startsWith('findUnique')
          return query({
            ...args,
            where: unique ? { ...where, AND: [visible(listed)] } : { AND: [where ?? {}, visible(listed)] },
          })
        },
      },
    },
  })
  const within = reach(db, client, alone('vitrine_public'))
  return { ...within, transaction: (work) => work(within) }
}

/**
 * Every organization's rows, for sign-in and workers. A verb gets an organization's scope instead. With a lease, every transaction and
 * every write fails once another process has the task.
 */
export function systemScope(lease?: Lease): WorkerScope {
  const client = systemClient()
  return {
    ...(lease ? fencedAlone(client, lease) : reach(client, client, alone('vitrine_system', READ_ONLY))),
    within: (organizationId, work) => work(organizationScope(organizationId, { lease })),
    transaction: (work) =>
      retryingRaces(() =>
        client.$transaction(async (tx) => {
          if (lease) await tx.$queryRaw(fence(lease))
          return work(workerReach(tx))
        }),
      ),
  }
}

const fence = (lease: Lease) => Prisma.sql`SELECT ${assertLease(lease)}::text`

/** A SELECT outside a transaction: none of our functions that it could call writes anything. */
const isRead = (statement: string): boolean => /^\s*SELECT\b/i.test(statement)

/** Model calls and statements outside a transaction: each that may write runs in a short one of its own, fenced by the lease. */
function fencedAlone(client: PrismaClient, lease: Lease): Reach {
  const fenced = async <T>(call: Prisma.PrismaPromise<T>): Promise<T> => {
    const [, result] = await client.$transaction([client.$queryRaw(fence(lease)), call])
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
    statement: (text, values) => {
      const call = client.$queryRawUnsafe<Row[]>(text, ...values)
      return isRead(text) ? call : fenced(call)
    },
    rows: alone('vitrine_system', READ_ONLY),
  }
}

/** A worker's transaction. While an organization is open in it, only that organization's scope can be used. */
function workerReach(tx: Prisma.TransactionClient): WorkerReach {
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
    statement: async (text, values) => {
      assertNoneOpen()
      return all.statement(text, values)
    },
    rows: async (statement, ...values) => {
      assertNoneOpen()
      return all.rows(statement, ...values)
    },
    async within(organizationId, work) {
      assertNoneOpen()
      open = organizationId
      try {
        await raw.$queryRaw(becomeOrganization(organizationId))
        const own = reach(confined(organizationId, tx), raw)
        return await work({ ...own, transaction: (inner) => inner(own) })
      } finally {
        // An aborted transaction takes no statement any more; its rollback restores role and organization as well.
        await raw.$queryRaw(becomeWorker).catch(() => undefined)
        open = null
      }
    },
  }
}

/** Without the role, the transaction would keep the rights of vitrine_system, which row-level security doesn't confine. */
const becomeOrganization = (organizationId: string) =>
  Prisma.sql`SELECT set_config('vitrine.organization_id', ${organizationId}, true), set_config('role', 'vitrine_app', true)`

const becomeWorker = Prisma.sql`SELECT set_config('vitrine.organization_id', '', true), set_config('role', 'none', true)`

/** The tables of the sandbox's card provider and no others, since it is treated as a separate service. */
export function sandboxStoreScope(): Pick<Scope, 'db' | 'transaction'> {
  const client = systemClient().$extends({
    name: 'sandbox store',
    query: {
      $allModels: {
        $allOperations({ model, args, query }) {
          if (!model.startsWith('Sandbox')) throw new Error(`${model} is not a table of the sandbox’s card provider.`)
          return query(args)
        },
      },
    },
  })
  return {
    db: client as unknown as Db,
    transaction: (work) => retryingRaces(() => client.$transaction((tx) => work(reach(tx, tx)))),
  }
}
