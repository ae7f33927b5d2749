import os from 'node:os'
import { playwrightTimes, vitestTimes } from './reports.ts'
import { type FileTimes, PARTS } from './vitest-report.ts'

/** What a suite took: by the clock, of processor time (null where the system doesn't say), and all that was busy. */
export type SuiteTimes = { name: string; seconds: number; processor: number | null; busy: number }

const SLOWEST = 40

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, ['---', ...head.slice(1).map(() => '---:')], ...rows].map((cells) => `| ${cells.join(' | ')} |`)

const whole = (seconds: number | null): string => (seconds === null ? '–' : String(Math.round(seconds)))
const tenths = (ms: number | undefined): string => (ms === undefined ? '' : (ms / 1000).toFixed(1))

/** A table of the suites. Those that ran side by side were busy together. */
function suitesTable(suites: readonly SuiteTimes[], total: SuiteTimes, cores: number): string[] {
  const rows = [...suites, total].map(({ name, seconds, processor, busy }) => [
    name,
    whole(seconds),
    whole(processor),
    `${Math.round((100 * busy) / (seconds * cores))} %`,
  ])
  return table(['suite', 'seconds', 'of processors', 'machine busy'], rows)
}

const sumOf = (files: readonly FileTimes[]): FileTimes => ({
  file: `all ${files.length} files`,
  all: files.reduce((sum, { all }) => sum + all, 0),
  parts: Object.fromEntries(PARTS.map((part) => [part, files.reduce((sum, { parts }) => sum + (parts[part] ?? 0), 0)])),
})

function filesTable(files: readonly FileTimes[]): string[] {
  const slowest = files.toSorted((a, b) => b.all - a.all).slice(0, SLOWEST)
  const rows = [...slowest, sumOf(files)].map(({ file, all, parts }) => [
    file,
    tenths(all),
    ...PARTS.map((part) => tenths(parts[part])),
  ])
  return table(['file', 'seconds', ...PARTS], rows)
}

/** The times of a run, in tables. `load`: the machine's when the run began. */
export function timesTables(
  run: { suites: readonly SuiteTimes[]; total: SuiteTimes; load: number },
  reports: { vitest: string; playwright: string },
): string {
  const cores = os.availableParallelism()
  const { seconds, processor, busy } = run.total
  const others =
    processor === null ? '' : `; others used ${whole(Math.max(0, busy - processor))} s of ${whole(seconds * cores)} s`
  const files = [...vitestTimes(reports.vitest), ...playwrightTimes(reports.playwright)]
  return [
    `Load of the machine: ${run.load.toFixed(1)} at the begin, ${os.loadavg()[0]!.toFixed(1)} at the end, ${cores} cores${others}.`,
    '',
    ...suitesTable(run.suites, run.total, cores),
    ...(files.length > 0 ? ['', ...filesTable(files)] : []),
  ].join('\n')
}
