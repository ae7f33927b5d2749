import { Prisma } from '../../generated/prisma/client.ts'
import { log } from '../core/log.ts'
import { inTransaction, type SystemContext } from '../platform/auth/context.ts'
import { jumpRequestNumbers } from './jump-request-numbers.ts'

type Place = { systemIdentifier: string; timeline: bigint; databaseOid: bigint; isNoted: boolean | null }

/**
 * Notes where the database is. Where it was elsewhere before (put back from a backup, or a server took over), newer
 * rows may be lost, and request numbers jump. A new installation is noted without a jump. `always`: they jump in any
 * case. Returns whether they did.
 */
export async function noticeDatabaseServer(worker: SystemContext, { always = false } = {}): Promise<boolean> {
  const { isNoted, ...place } = await readPlace(worker)
  if (isNoted && !always) return false
  const hasJumped = await inTransaction(worker, async (tx) => {
    if (!(await note(tx, place, always))) return false
    await jumpRequestNumbers(tx, null)
    return true
  })
  if (hasJumped) log.warn(place, 'The database may lack its newest rows: request numbers have jumped.')
  return hasJumped
}

/**
 * The name of a WAL file begins with the timeline; the control file may still name the one before after a server took
 * over.
 */
async function readPlace(worker: SystemContext): Promise<Place> {
  const [place] = await worker.sql<Place>(Prisma.sql`
    SELECT p.*, (
      SELECT (d.system_identifier, d.timeline, d.database_oid) = (p."systemIdentifier", p.timeline, p."databaseOid")
      FROM database_server d) AS "isNoted"
    FROM (SELECT c.system_identifier::text AS "systemIdentifier",
      ('x' || lpad(left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), 16, '0'))::bit(64)::bigint AS timeline,
      (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS "databaseOid"
      FROM pg_control_system() c) p`)
  return place!
}

/** false: it is the first place that is noted, or another process was faster. */
async function note(tx: SystemContext, place: Omit<Place, 'isNoted'>, always: boolean): Promise<boolean> {
  const { systemIdentifier, timeline, databaseOid } = place
  await tx.db.databaseServer.createMany({
    data: [{ ...place, notedAt: tx.now() }],
    skipDuplicates: true,
  })
  const { count } = await tx.db.databaseServer.updateMany({
    where: always ? {} : { NOT: { systemIdentifier, timeline, databaseOid } },
    data: { ...place, jumps: { increment: 1 }, notedAt: tx.now() },
  })
  return count > 0
}
