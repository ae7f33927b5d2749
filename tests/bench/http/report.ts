import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** What was measured of a case: medians over the rounds. */
export type Row = {
  name: string
  atLeast: number
  /** Of the bare server's rate in the same round, in percent. */
  share: number
  perSecond: { vitrine: number; bare: number; next?: number | undefined }
  p99: number
  /** Milliseconds of processor time for a request, of the web process and of PostgreSQL. */
  webCpu: number
  bareCpu: number
  databaseCpu: number
}

const file = path.resolve(import.meta.dirname, '../../../docs/benchmarks/http.md')
const whole = (value: number): string => Math.round(value).toLocaleString('en')

export function tableOf(rows: readonly Row[]): string {
  const head = [
    'asked',
    'Vitrine/s',
    'bare/s',
    'Next/s',
    'of bare',
    'at least',
    'p99 ms',
    'web CPU ms',
    'bare CPU ms',
    'PostgreSQL CPU ms',
  ]
  const lines = rows.map(({ name, atLeast, share, perSecond, p99, webCpu, bareCpu, databaseCpu }) => [
    name,
    whole(perSecond.vitrine),
    whole(perSecond.bare),
    perSecond.next === undefined ? '' : whole(perSecond.next),
    `${whole(share)} %${share < atLeast ? ' ✗' : ''}`,
    `${atLeast} %`,
    whole(p99),
    webCpu.toFixed(3),
    bareCpu.toFixed(3),
    databaseCpu.toFixed(3),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export function writeReport(rows: readonly Row[], facts: { rounds: number; seconds: number; memory: string[] }): void {
  fs.writeFileSync(
    file,
    `# What a request costs

Written by \`npm run bench\`: all sides in one run on one machine, in turn, ${facts.rounds} rounds of ${facts.seconds} s or of a fixed number of requests, 32
connections, medians. The client and PostgreSQL (durable) use the same ${os.cpus().length} processors, so rates say less than shares. **bare** is \`node:http\`,
\`pg\` with prepared statements and \`JSON.stringify\`, one process, without authentication, limits, row-level security or rules
(\`tests/bench/http/bare.ts\`); for writes it inserts the same rows. **Next** is one Next route with \`pg\`.

${tableOf(rows)}

${facts.memory.map((line) => `- ${line}`).join('\n')}
`,
  )
}
