// npm run audit: checks the packages by the lists of scripts/dependencies, then asks the registry about what is
// deployed. With --offline only the lists. Ends with 1 when something is wrong, and with 2 when the registry didn't
// answer.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { faultsOf, type Lock } from './dependencies/check-lock.ts'

const root = path.resolve(import.meta.dirname, '..')

const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock
const faults = faultsOf(lock)
for (const fault of faults) console.log(`✗ ${fault}`)
if (faults.length === 0)
  console.log('✓ Every package has its integrity and a listed licence, and none is on the list of vulnerable versions.')
const asked = process.argv.includes('--offline') ? 0 : await askRegistry()
process.exit(faults.length > 0 ? 1 : asked)

type Report = {
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>
  message?: string
  error?: { summary?: string }
}

/** Prints what the registry knows of the packages that are deployed; returns the exit code. */
async function askRegistry(): Promise<number> {
  const report = await npmAudit()
  if (!report?.vulnerabilities) {
    const reason = report?.message ?? report?.error?.summary
    console.log(`! The registry did not answer, so only the lists were checked.${reason ? ` npm says: ${reason}` : ''}`)
    return 2
  }
  const found = Object.entries(report.vulnerabilities)
  for (const [name, { severity, via }] of found) {
    const causes = via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : `${cause.title} ${cause.url}`))
    console.log(`✗ ${name} (${severity}): ${causes.join('; ')}`)
  }
  if (found.length === 0) console.log('✓ The registry knows of no vulnerability in what is deployed.')
  return found.length > 0 ? 1 : 0
}

/** npm's own report; null when it wrote none. */
async function npmAudit(): Promise<Report | null> {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=30000']
  const child = spawn('npm', args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
  try {
    return JSON.parse(output) as Report
  } catch {
    return null
  }
}
