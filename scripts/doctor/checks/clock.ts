import { readServerFacts } from '../../../lib/db/server-facts.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'
import { networksOf } from '../networks.ts'

/** HTTP tells the time in whole seconds, and the answer takes a while. */
const DIFFERS_SECONDS = 5
/** Beyond this, signed events and PINs are refused for their age. */
const WRONG_SECONDS = 60

/** This machine's clock against the database's, the nodes' and that of whatever answers at ORIGIN. */
export const clock: Check = {
  name: 'clock',
  run: async (subject) => {
    const { settings } = subject
    const urls = [settings.ORIGIN, ...networksOf(subject).flatMap(({ nodes }) => nodes.map(({ url }) => url))]
    const hosts = new Map(urls.map((url) => [new URL(url).host, url]))
    const differences = await Promise.all([
      compared(subject, 'the database', async () => (settings.DATABASE_URL ? (await readServerFacts()).now : null)),
      ...[...hosts].map(([host, url]) => compared(subject, host, () => dateAt(url, subject.timeoutMs))),
    ])
    const known = differences.filter((each) => each !== null)
    if (known.length === 0)
      return [warning('clock', 'Nothing was there to compare it with.', 'See that the machine sets its clock by NTP.')]
    return [findingOf(known)]
  },
}

type Difference = { name: string; seconds: number }

async function compared({ now }: Subject, name: string, read: () => Promise<Date | null>): Promise<Difference | null> {
  const before = now().getTime()
  const theirs = await read().catch(() => null)
  if (!theirs) return null
  const ours = (before + now().getTime()) / 2
  return { name, seconds: Math.round((ours - theirs.getTime()) / 1000) }
}

async function dateAt(url: string, timeoutMs: number): Promise<Date | null> {
  const { origin } = new URL(url)
  const response = await fetch(origin, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const date = new Date(response.headers.get('date') ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}

/** The middle difference counts, so that one clock that is wrong elsewhere is not ours. */
function findingOf(differences: Difference[]): Finding {
  const sorted = differences.toSorted((a, b) => Math.abs(a.seconds) - Math.abs(b.seconds))
  const { name, seconds } = sorted[Math.floor((sorted.length - 1) / 2)]!
  const distance = Math.abs(seconds)
  const compared = `Compared with ${differences.map((each) => each.name).join(', ')}`
  if (distance <= DIFFERS_SECONDS) return ok('clock', `${compared}: it is right.`)
  const detail = `${compared}: it is ${distance} s ${seconds > 0 ? 'ahead of' : 'behind'} ${name}.`
  const remedy = 'Have the machine set its clock by NTP (systemd-timesyncd or chrony).'
  return distance > WRONG_SECONDS ? wrong('clock', detail, remedy) : warning('clock', detail, remedy)
}
