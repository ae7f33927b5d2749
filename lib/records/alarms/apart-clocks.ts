import { Prisma } from '../../../generated/prisma/client.ts'
import type { Reach } from '../../db/scope.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { raiseAlarm } from './raise-alarm.ts'

/** Clocks that differ by more than this are apart. */
export const APART_MS = 5_000
/** Each process records its clock at least once a minute. What is older belongs to a process that ended. */
const KEPT_SECONDS = 150

type HostClock = { host: string; aheadMs: number; measuredAt: Date }
/** `isAlarmed`: an alarm about clocks is open. `areOthersOld`: some belong to processes that ended. */
type WatchedClock = HostClock & { isAlarmed: boolean; areOthersOld: boolean }
const OLD = Prisma.sql`measured_at < clock_timestamp() - make_interval(secs => ${KEPT_SECONDS})`

/** How far each host's clock is ahead of PostgreSQL's, of the hosts whose processes run. */
const listClocks = ({ sql }: Pick<Reach, 'sql'>): Promise<WatchedClock[]> =>
  sql<WatchedClock>(Prisma.sql`
    SELECT DISTINCT ON (host) host, ahead_ms::float8 AS "aheadMs", measured_at AS "measuredAt",
      EXISTS (SELECT 1 FROM alarms WHERE kind = 'clock_apart' AND resolved_at IS NULL) AS "isAlarmed",
      EXISTS (SELECT 1 FROM process_clocks WHERE ${OLD}) AS "areOthersOld"
    FROM process_clocks WHERE NOT ${OLD} ORDER BY host, measured_at DESC`)

/** The subject of the alarm about the database server's own clock, where hosts tell of it. */
const SERVER = 'database server'
/**
 * Begins the subjects of those where the blocks of a network tell of it (lib/onchain/indexer/wrong-server-clock.ts).
 */
export const CHAIN_SUBJECT = 'network '

/**
 * Raises an alarm for each host whose clock is apart from PostgreSQL's, and ends those of the others. Where several
 * hosts all are apart by the same, it is the database server's clock that is wrong.
 */
export async function alarmApartClocks(worker: SystemContext): Promise<void> {
  const clocks = await listClocks(worker)
  const apart = clocks.filter(({ aheadMs }) => Math.abs(aheadMs) > APART_MS)
  const all = clocks.map(({ aheadMs }) => aheadMs)
  const isServers =
    clocks.length > 1 && apart.length === clocks.length && Math.max(...all) - Math.min(...all) <= APART_MS
  const details = isServers
    ? new Map([[SERVER, ofServer(clocks)]])
    : new Map(apart.map((clock) => [clock.host, ofHost(clock, clocks.length === 1)]))
  for (const [subject, detail] of details) await raiseAlarm(worker, 'clock_apart', subject, detail)
  if (clocks.length === 0 || clocks.some(({ isAlarmed }) => isAlarmed))
    await worker.db.alarm.updateMany({
      where: {
        kind: 'clock_apart',
        resolvedAt: null,
        subject: { notIn: [...details.keys()], not: { startsWith: CHAIN_SUBJECT } },
      },
      data: { resolvedAt: worker.now() },
    })
  if (clocks.length === 0 || clocks.some(({ areOthersOld }) => areOthersOld))
    await worker.sql(Prisma.sql`DELETE FROM process_clocks WHERE ${OLD}`)
}

const GOES_ON = 'Work goes on by PostgreSQL’s time.'

/** Both times, at the moment when they were compared. */
function differenceOf(whose: string, { aheadMs, measuredAt }: HostClock): string {
  const own = new Date(measuredAt.getTime() + aheadMs)
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return (
    `${whose} said ${own.toISOString()} when PostgreSQL’s said ${measuredAt.toISOString()}: ` +
    `it is ${seconds} s ${aheadMs > 0 ? 'ahead' : 'behind'}.`
  )
}

const ofHost = (clock: HostClock, isOnly: boolean): string =>
  `${differenceOf(`The clock of ${clock.host}`, clock)} ${GOES_ON} Set that host’s ` +
  `clock${isOnly ? ', or the database server’s if it is that one that is wrong' : ''}, and keep it by NTP.`

const ofServer = (clocks: HostClock[]): string =>
  `${differenceOf(`The clock of ${clocks[0]!.host}`, clocks[0]!)} ${clocks.map(({ host }) => host).join(' and ')} ` +
  'differ alike, so it is the database server’s clock that is wrong. ' +
  `${GOES_ON} Set the database server’s clock, and keep it by NTP.`
