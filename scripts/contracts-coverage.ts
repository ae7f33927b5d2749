// npm run contracts:coverage: fails unless the contracts' plain tests reach every line and branch. Inline assembly is
// exempt, because forge can't measure it; fuzz tests cover it. It notes for which contracts and tests it succeeded;
// --unless-noted, as npm test calls it, measures others only.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, '.test')
const report = join(folder, 'contracts.lcov')

/** The line numbers of assembly blocks, from `assembly` to the closing brace. */
function assemblyOf(source: string[]): Set<number> {
  const lines = new Set<number>()
  let depth = 0
  for (const [at, line] of source.entries()) {
    const code = line.replace(/\/\/.*/, '')
    if (depth === 0 && !/\bassembly\b.*\{/.test(code)) continue
    lines.add(at + 1)
    depth += code.split('{').length - code.split('}').length
  }
  return lines
}

type Reached = { line: number; reached: boolean }

/** Lines and branches of each source in an lcov report. A branch has an entry for each outcome. */
function readReport(text: string): { path: string; lines: Reached[]; branches: Reached[] }[] {
  return text.split('end_of_record').map((record) => {
    const path = /^SF:(.+)$/m.exec(record)?.[1] ?? ''
    const lines = [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, hits]) => ({
      line: Number(line),
      reached: Number(hits) > 0,
    }))
    const branches = [...record.matchAll(/^BRDA:(\d+),\d+,\d+,(\d+|-)$/gm)].map(([, line, hits]) => ({
      line: Number(line),
      reached: Number(hits) > 0,
    }))
    return { path, lines, branches }
  })
}

const note = join(root, 'contracts/covered.txt')
const LIBRARIES = ['solady', '@openzeppelin/contracts'].map((name) => `node_modules/${name}/package.json`)

/** A digest of all that the measure depends on: contracts, tests, libraries, settings and this program. */
function digestOfContracts(): string {
  const digest = createHash('sha256')
  for (const file of [
    'foundry.toml',
    'scripts/contracts-coverage.ts',
    ...LIBRARIES,
    ...globSync('contracts/{src,test}/**/*.sol', { cwd: root }).sort(),
  ])
    digest.update(`${file}\n`).update(readFileSync(join(root, file)))
  return digest.digest('hex')
}

const measuredFor = digestOfContracts()
if (process.argv.includes('--unless-noted') && existsSync(note) && readFileSync(note, 'utf8').trim() === measuredFor) {
  console.log('All lines and branches of these contracts were reached by these tests before: contracts/covered.txt')
  process.exit(0)
}
mkdirSync(folder, { recursive: true })
// --ir-minimum: without optimization the contracts' stack is too deep, and with all of it lines can't be told apart.
const measured = spawnSync(
  process.execPath,
  [
    join(root, 'scripts/forge.mjs'),
    'coverage',
    '--ir-minimum',
    // Compiled without optimization, these two take longer than all others together.
    '--skip',
    'Invariants.t.sol',
    '--skip',
    'Differential.t.sol',
    '--no-match-test',
    'testFuzz',
    '--report',
    'lcov',
    '--report-file',
    report,
  ],
  { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
if (measured.status !== 0) {
  console.error(`${measured.stdout}\n${measured.stderr}`)
  process.exit(1)
}

const reports = readReport(readFileSync(report, 'utf8'))
const missing: string[] = []
for (const name of readdirSync(join(root, 'contracts/src')).filter((file) => file.endsWith('.sol'))) {
  const path = `contracts/src/${name}`
  const found = reports.find((one) => one.path === path)
  if (!found) {
    missing.push(`${path} isn't in the report.`)
    continue
  }
  const source = readFileSync(join(root, path), 'utf8').split('\n')
  const assembly = assemblyOf(source)
  const [lines, branches] = [found.lines, found.branches].map((all) =>
    all.filter(({ line }) => !assembly.has(line)),
  ) as [Reached[], Reached[]]
  console.log(`  ${path}: ${shareOf(lines)} lines, ${shareOf(branches)} branches`)
  const unreached = [...lines, ...branches].filter(({ reached }) => !reached)
  for (const line of new Set(unreached.map((one) => one.line)))
    missing.push(`${path}:${line} isn't reached: ${source[line - 1]!.trim()}`)
}
for (const line of missing) console.error(`  ${line}`)
if (missing.length === 0) writeFileSync(note, `${measuredFor}\n`)
process.exit(missing.length > 0 ? 1 : 0)

function shareOf(all: Reached[]): string {
  return `${all.filter(({ reached }) => reached).length} of ${all.length}`
}
