import { Prisma } from '../../generated/prisma/client.ts'
import { leasePool } from './client.ts'

/**
 * A task that one process does at a time. The token grows with every take-over, so that an earlier holder's is not
 * valid any more.
 */
export type Lease = { readonly task: string; readonly holder: string; readonly token: bigint }

/**
 * How long a task stays with a holder that doesn't renew its lease, by PostgreSQL's clock. A hung holder's transactions
 * may keep it from being taken over for as long as lib/db/session.ts lets them.
 */
export const LEASE_SECONDS = 6

/**
 * Takes a task that was never held, or whose lease has expired. null: another process has it, or a transaction of its
 * last holder is still open. It never waits.
 */
export async function takeLease(task: string, holder: string): Promise<Lease | null> {
  const { rows } = await leasePool().query<{ token: string }>(
    `WITH free AS (
       SELECT task FROM leases WHERE task = $1 AND expires_at <= clock_timestamp() FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE leases SET holder = $2, token = leases.token + 1,
         expires_at = clock_timestamp() + make_interval(secs => $3)
       FROM free WHERE leases.task = free.task RETURNING token
     ), made AS (
       INSERT INTO leases (task, holder, token, expires_at)
       VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3))
       ON CONFLICT DO NOTHING RETURNING token
     )
     SELECT token FROM taken UNION ALL SELECT token FROM made`,
    [task, holder, LEASE_SECONDS],
  )
  return rows[0] ? { task, holder, token: BigInt(rows[0].token) } : null
}

/**
 * Extends leases and returns those that are still valid; what another process has taken over is missing. A lease that
 * isn't named expires: its holder may never have learnt that it was taken.
 */
export async function renewLeases(leases: readonly Lease[]): Promise<Lease[]> {
  const { rows } = await leasePool().query<{ task: string; holder: string; token: string }>(
    `UPDATE leases l SET expires_at = clock_timestamp() + make_interval(secs => $4)
     FROM unnest($1::text[], $2::uuid[], $3::bigint[]) AS held (task, holder, token)
     WHERE l.task = held.task AND l.holder = held.holder AND l.token = held.token
     RETURNING l.task, l.holder, l.token`,
    [
      leases.map(({ task }) => task),
      leases.map(({ holder }) => holder),
      leases.map(({ token }) => String(token)),
      LEASE_SECONDS,
    ],
  )
  return rows.map(({ token, ...row }) => ({ ...row, token: BigInt(token) }))
}

/** The tasks that others than this holder have. */
export async function findHeldByOthers(holder: string): Promise<ReadonlySet<string>> {
  const { rows } = await leasePool().query<{ task: string }>(
    'SELECT task FROM leases WHERE holder <> $1 AND expires_at > clock_timestamp()',
    [holder],
  )
  return new Set(rows.map(({ task }) => task))
}

/**
 * Ends all leases of a holder, so that other processes can take its tasks at once. The end is long past: the column
 * rounds the present time up to a millisecond, and the clock may step back.
 */
export async function releaseLeases(holder: string): Promise<void> {
  await leasePool().query('UPDATE leases SET expires_at = to_timestamp(0) WHERE holder = $1', [holder])
}

/**
 * An expression for a transaction's first statement: it fails when the lease was taken over, and keeps it from being
 * until the end.
 */
export const assertLease = ({ task, holder, token }: Lease): Prisma.Sql =>
  Prisma.sql`assert_lease(${task}, ${holder}::uuid, ${token}::bigint)`
