// npm run doctor: checks every setting, reaches every service that they name, and says what is wrong and how to mend
// it.
//   -- --mail you@example.com    also sends a test mail there
//   -- --dkim-selector <name>    also looks the sender's DKIM key up
//   -- --json                    prints the findings for programs
//   -- --strict                  ends with status 1 for warnings too
//   -- --timeout <seconds>       how long one request to a service may take; 6 unless given
import { Resolver } from 'node:dns/promises'
import { parseArgs } from 'node:util'
import type { Finding, Verdict } from './doctor/check.ts'
import { isInOrder, type Report } from './doctor/report.ts'

const DEFAULT_TIMEOUT_SECONDS = '6'
/** A check asks several times, one after the other, at most. */
const REQUESTS_PER_CHECK = 5

const { values: given } = parseArgs({
  options: {
    mail: { type: 'string' },
    'dkim-selector': { type: 'string' },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    timeout: { type: 'string', default: DEFAULT_TIMEOUT_SECONDS },
  },
})
const timeoutMs = Number(given.timeout) * 1000
if (!(timeoutMs >= 1)) {
  console.error('--timeout takes a number of seconds.')
  process.exit(1)
}

const report = await examine()
if (given.json)
  console.log(
    JSON.stringify(
      report.flatMap(({ check, findings }) => findings.map((each) => ({ check, ...each }))),
      null,
      2,
    ),
  )
else print(report)
const count = (verdict: Verdict) =>
  report.flatMap(({ findings }) => findings).filter((each) => each.verdict === verdict).length
if (!given.json) console.log(`\n${count('wrong')} wrong, ${count('warning')} to look at, ${count('ok')} in order.`)
// Connections to services that don't answer may still be open.
process.exit(isInOrder(report, given.strict) ? 0 : 1)

async function examine(): Promise<Report> {
  process.env.LOG_LEVEL ||= 'silent'
  try {
    // These read the settings when they are imported, and throw what is not valid in them.
    const { env } = await import('../lib/core/env.ts')
    const { now } = await import('../lib/core/clock.ts')
    const { quoting } = await import('./doctor/quote.ts')
    const { runChecks } = await import('./doctor/run-checks.ts')
    const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 2 })
    const subject = {
      settings: env,
      mailTo: given.mail ?? null,
      dkimSelector: given['dkim-selector'] ?? null,
      resolveTxt: async (name: string) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
      now,
      timeoutMs,
      quote: quoting(env),
    }
    return await runChecks(subject, timeoutMs * REQUESTS_PER_CHECK)
  } catch (error) {
    const detail = (error as Error).message
    const finding: Finding = {
      verdict: 'wrong',
      subject: 'settings',
      detail,
      remedy: '.env.example describes every setting. Nothing else was checked.',
    }
    return [{ check: 'settings', findings: [finding] }]
  }
}

function print(all: Report): void {
  const marks: Record<Verdict, string> = { ok: 'ok     ', warning: 'LOOK AT', wrong: 'WRONG  ' }
  for (const { check, findings } of all) {
    if (findings.length === 0) continue
    console.log(`\n${check}`)
    for (const { verdict, subject, detail, remedy } of findings) {
      console.log(`  ${marks[verdict]}  ${subject}: ${detail}`)
      if (remedy) console.log(`           ${remedy}`)
    }
  }
}
