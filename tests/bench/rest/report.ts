import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Counted } from './count-statements.ts'
import { type Usage, wholeOf } from './usage.ts'

/** What was measured: percent of one core, and statements a second. */
export type Rest = { items: number; seconds: number; load: number; use: Usage; statements: readonly Counted[] }

const file = path.resolve(import.meta.dirname, '../../../docs/benchmarks/rest.md')
/** Of these, an installation with nothing to do uses at most so much of one core, in percent. */
const MOST: readonly (readonly [string, number, (use: Usage) => number])[] = [
  ['worker', 2, ({ worker }) => worker],
  ['PostgreSQL, with autovacuum', 2, ({ postgres }) => postgres],
  ['web', 1, ({ web }) => web],
  ['launcher: inbox, saving the chain', Infinity, ({ launcher }) => launcher],
  ['all of these', 6, wholeOf],
  ['the local chain, not counted', Infinity, ({ chain }) => chain],
]
const LISTED = 15

const percent = (value: number): string => `${value.toFixed(2)} %`
const perSecond = ({ statements }: Rest): string => statements.reduce((sum, each) => sum + each.perSecond, 0).toFixed(1)

/** One measurement, for the terminal. */
export const tableOf = (rest: Rest): string =>
  [
    `${rest.items.toLocaleString('en')} items, ${rest.seconds.toFixed(0)} s, load ${rest.load.toFixed(1)}:`,
    ...MOST.map(([name, , of]) => `  ${name.padEnd(36)}${percent(of(rest.use))}`),
    `  ${'statements a second'.padEnd(36)}${perSecond(rest)}`,
    ...rest.statements
      .slice(0, LISTED)
      .map(
        ({ text, perSecond: times, milliseconds }) =>
          `  ${times.toFixed(2)}/s ${milliseconds.toFixed(3)} ms/s  ${text.slice(0, 150)}`,
      ),
  ].join('\n')

/** `sentMs`: how long after the answer to a mint request its transaction is sent. */
export function writeReport(rests: readonly Rest[], sentMs: number): void {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = ['of one core', 'at most', ...rests.map(({ items }) => `${items.toLocaleString('en')} items`)]
  const lines = [
    ...MOST.map(([name, most, of]) => [
      name,
      most === Infinity ? '' : `${most} %`,
      ...rests.map(({ use }) => `${percent(of(use))}${of(use) > most ? ' ✗' : ''}`),
    ]),
    ['statements a second', '', ...rests.map(perSecond)],
  ]
  const [last] = rests.slice(-1)
  const listed = last!.statements.slice(0, LISTED).map(({ text, perSecond: times, milliseconds }) => {
    const shown = text.replaceAll('|', '\\|').replaceAll('`', "'").slice(0, 110)
    return row([times.toFixed(2), milliseconds.toFixed(3), `\`${shown}\``])
  })
  fs.writeFileSync(
    file,
    `# At rest

What an installation with nothing to do uses: the sandbox of \`npm run up\`, a minute after its start, for ${last!.seconds.toFixed(0)} seconds. \`npm run bench:rest\` repeats it, and \`-- --items 1000000\` also measures it with a million items.
The machine: ${os.cpus().length} cores, ${os.cpus()[0]!.model.trim()}; its load at the end was ${rests.map(({ load }) => load.toFixed(1)).join(' and ')}. What counts is processor time, which other load makes a little longer.

${[head, head.map(() => '---'), ...lines].map(row).join('\n')}

Work wakes the worker: a mint that is asked for while nothing else happens is sent ${sentMs.toFixed(0)} ms after its answer, in the median of twenty, with ${last!.items.toLocaleString('en')} items.

Without items there is the demo's data alone. How it works: [0081](../decisions/0081-work-wakes-whoever-does-it.md).

The statements that took most of PostgreSQL's time, ${last!.items.toLocaleString('en')} items:

${[
  ['a second', 'ms a second', 'statement'],
  ['---', '---', '---'],
]
  .map(row)
  .join('\n')}
${listed.join('\n')}
`,
  )
}
