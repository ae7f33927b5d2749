import { median } from '../http/median.ts'

/**
 * What a request cost; `name` says what was asked, in words that fit any database. `cpuMs`: processor time of this
 * process and of PostgreSQL.
 */
export type Figure = { name: string; url: string; status: number; ms: number; cpuMs: number; buffers: number }

/** A request to a big database may take so many times the processor time of the same to a small one. */
const MOST = 3

type Pair = { name: string; big: Figure; small: Figure; time: number; pages: number }

const times = (ratio: number): string => `${ratio.toFixed(1)} ×`

function mostOf(pairs: Pair[]): string {
  const { name, big, small, time, pages } = pairs.toSorted((a, b) => b.time - a.time)[0]!
  return `${times(time)} (${big.cpuMs} ms beside ${small.cpuMs}, ${times(pages)} the pages: ${name})`
}

/**
 * How many times the processor time of the same request to another database each took: a line for each endpoint, and
 * those above the bound.
 */
export function ratiosOf(figures: readonly Figure[], others: readonly Figure[]): string[] {
  const beside = new Map(others.map((figure) => [figure.name, figure]))
  const pairs = figures.flatMap((big): Pair[] => {
    const small = beside.get(big.name)
    if (!small || big.status !== 200 || small.status !== 200) return []
    const [time, pages] = [big.cpuMs / Math.max(small.cpuMs, 0.1), big.buffers / Math.max(small.buffers, 1)]
    return [{ name: big.name, big, small, time, pages }]
  })
  const byPath = Map.groupBy(pairs, ({ name }) => name.split(' ', 1)[0]!)
  const above = pairs.filter(({ time }) => time > MOST).sort((a, b) => b.time - a.time)
  return [
    ...[...byPath].map(
      ([path, all]) =>
        `${path}: ${all.length} asked of both, ${times(median(all.map(({ time }) => time)))} the processor time, most ${mostOf(all)}`,
    ),
    ...above.map(({ time, big, small }) => `${times(time)}: ${big.cpuMs} ms beside ${small.cpuMs}, ${big.name}`),
    `${pairs.length} asked of both databases, ${above.length} took more than ${MOST} times the processor time`,
  ]
}
