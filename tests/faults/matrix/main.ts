// npm run faults: all runs of the crash matrix. -- --only NAME,NAME: those whose names contain one of these. --part
// 1/2: every second one, beside another process that does the others.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const root = path.resolve(import.meta.dirname, '../../..')
const { values } = parseArgs({ options: { only: { type: 'string' }, part: { type: 'string', default: '1/1' } } })
const results = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-faults-'))
const [report, times] = [path.join(results, 'report.json'), path.join(results, 'times.json')]
const begun = Date.now()
const { status } = spawnSync(
  path.join(root, 'node_modules/.bin/vitest'),
  [
    'run',
    '--project=database',
    '--reporter=verbose',
    '--reporter=json',
    `--outputFile.json=${report}`,
    'tests/faults/crash-matrix.test.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FAULTS: values.only ?? 'all', FAULTS_PART: values.part, FAULTS_RESULT: times },
  },
)

type Report = { testResults: { assertionResults: { title: string; status: string }[] }[] }
const isRun = ({ title }: { title: string }) => title.includes('/')
const tests = fs.existsSync(report)
  ? (JSON.parse(fs.readFileSync(report, 'utf8')) as Report).testResults.flatMap((file) => file.assertionResults)
  : []
const runs = tests.filter(isRun)
const failed = tests.filter((each) => each.status !== 'passed')
const seconds = fs.existsSync(times)
  ? (JSON.parse(fs.readFileSync(times, 'utf8')) as [string, number][]).map(([, each]) => each).sort((a, b) => a - b)
  : []
fs.rmSync(results, { recursive: true, force: true })

const nth = (share: number) =>
  (seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * share))] ?? 0).toFixed(1)
const countBy = (place: number) => Map.groupBy(runs, ({ title }) => title.split('/')[place]!)
console.log(`
Crash matrix: ${runs.length} runs, ${runs.length - failed.filter(isRun).length} passed, in ${Math.round((Date.now() - begun) / 60_000)} minutes
  crash points: ${countBy(0).size}, stories: ${countBy(2).size}
  who died: ${[...countBy(3)].map(([victim, of]) => `${victim} ${of.length}`).join(', ')}
  seconds of a run: median ${nth(0.5)}, slowest ${nth(1)}`)
for (const { title } of failed)
  console.log(isRun({ title }) ? `  failed: ${title} (again: npm run faults -- --only ${title})` : `  failed: ${title}`)
process.exitCode = status === 0 && runs.length > 0 && failed.length === 0 ? 0 : 1
