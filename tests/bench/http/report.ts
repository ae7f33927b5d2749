import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { PeerFigures } from './peers/measure-peers.ts'
import type { TwoProcesses } from './second-process.ts'

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
  /** Other shops that were asked for the same. */
  peers: readonly PeerFigures[]
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
    atLeast > 0 ? `${atLeast} %` : '',
    whole(p99),
    webCpu.toFixed(3),
    bareCpu.toFixed(3),
    databaseCpu.toFixed(3),
  ])
  return linesOf(head, lines)
}

const linesOf = (head: readonly string[], lines: readonly string[][]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Empty when no other shop was asked. */
export function peersTableOf(rows: readonly Row[]): string {
  const asked = rows.filter(({ peers }) => peers.length > 0)
  if (asked.length === 0) return ''
  const names = asked[0]!.peers.map(({ name }) => name)
  const head = [
    'asked',
    'Vitrine/s',
    ...names.map((name) => `${name}/s`),
    ...names.map((name) => `Vitrine : ${name}`),
    'Vitrine CPU ms',
    ...names.map((name) => `${name} CPU ms`),
  ]
  const cpu = (own: number, database: number) => `${own.toFixed(2)} + ${database.toFixed(2)}`
  const lines = asked.map(({ name, perSecond, webCpu, databaseCpu, peers }) => [
    name,
    whole(perSecond.vitrine),
    ...peers.map((peer) => whole(peer.perSecond)),
    ...peers.map(({ times }) => `${times.toFixed(1)} : 1`),
    cpu(webCpu, databaseCpu),
    ...peers.map((peer) => cpu(peer.cpu, peer.databaseCpu)),
  ])
  return linesOf(head, lines)
}

/** The most processor time that a request may take of two web processes, in percent of what it takes of one. */
const TWO_AT_MOST = 110

export function processesTableOf({ vitrine, bare }: TwoProcesses): string {
  const head = ['asked', 'one/s', 'two/s', 'CPU ms of one', 'CPU ms of two', 'of one', 'at most']
  const line = (name: string, { one, two, share }: TwoProcesses['bare']['each'], most: number | null) => [
    name,
    whole(one.perSecond),
    whole(two.perSecond),
    one.cpu.toFixed(3),
    two.cpu.toFixed(3),
    `${whole(share)} %${most !== null && share > most ? ' ✗' : ''}`,
    most === null ? '' : `${most} %`,
  ]
  return linesOf(head, [
    line('two web processes: an item', vitrine.together, TWO_AT_MOST),
    line('two bare servers: an item', bare.together, null),
    line('two web processes, 32 connections each', vitrine.each, TWO_AT_MOST),
    line('two bare servers, 32 connections each', bare.each, null),
  ])
}

const PROCESSES = `## Two web processes

A second process of each program on the same database; the 32 connections go to both in turn, or 32 to each. What two bare servers take more than one is what the machine takes for two at once.

`

const PEERS = `## Beside other shops

With \`--peers\`: Vendure and Medusa from npm with the same 100,000 items (title, description, three attributes, 100 in a list), each as one process in production mode with a database of
its own on the same PostgreSQL, without Redis and telemetry (\`tests/bench/http/peers\`). They are asked in the same rounds, for these fields only. Vendure's shop API
(GraphQL by POST) gives \`product\` and \`products\` filtered by an indexed custom field, and attributes are custom fields. Medusa's store API gives \`/store/products/{id}\` and
\`/store/products\` of a collection, and attributes are metadata. CPU is that of the program and of PostgreSQL, for a request.

`

export function writeReport(
  rows: readonly Row[],
  facts: { rounds: number; seconds: number; memory: string[]; processes: TwoProcesses | null },
): void {
  const peers = peersTableOf(rows)
  fs.writeFileSync(
    file,
    `# What a request costs

Written by \`npm run bench\`: all sides in one run on one machine, in turn, ${facts.rounds} rounds of ${facts.seconds} s or of a fixed number of requests (of reads after one that isn’t counted), 32
connections, medians. The client and PostgreSQL (durable) use the same ${os.cpus().length} processors, so rates say less than shares. **bare** is \`node:http\`,
\`pg\` with prepared statements and \`JSON.stringify\`, one process, without authentication, limits, row-level security or rules
(\`tests/bench/http/bare.ts\`); for writes it inserts the same rows, and Vitrine's worker stands still unless the row says that it delivers. **Next** is one Next route with \`pg\`.

${tableOf(rows)}

${peers && `${PEERS}${peers}\n\n`}${facts.processes ? `${PROCESSES}${processesTableOf(facts.processes)}\n\n` : ''}${facts.memory.map((line) => `- ${line}`).join('\n')}
`,
  )
}
