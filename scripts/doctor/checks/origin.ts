import { readBounded } from '../../../lib/core/read-bounded.ts'
import { remedyFor } from '../remedy.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'

const LOCAL_HOST = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const MAX_ANSWER_BYTES = 10_000

/** Whether the public addresses are fit for the public, and lead to our web process. */
export const origin: Check = {
  name: 'addresses',
  run: async (subject) => {
    const { ORIGIN, CLAIM_ORIGIN } = subject.settings
    const named = [['ORIGIN', ORIGIN] as const]
    if (CLAIM_ORIGIN && CLAIM_ORIGIN !== ORIGIN) named.push(['CLAIM_ORIGIN' as 'ORIGIN', CLAIM_ORIGIN])
    return (
      await Promise.all(
        named.map(async ([name, url]) => [
          ...formFindings(subject, name, url),
          await answerFinding(subject, name, url),
        ]),
      )
    ).flat()
  },
}

function formFindings({ settings }: Subject, name: string, text: string): Finding[] {
  const url = new URL(text)
  const findings: Finding[] = []
  if (url.origin !== text)
    findings.push(
      wrong(name, `It must be a scheme and a host only, without a slash at the end.`, `Set it to ${url.origin}`),
    )
  if (settings.VITRINE_SANDBOX) return findings
  if (LOCAL_HOST.test(url.hostname))
    findings.push(
      warning(name, `${url.host} is this machine only; nobody else can open it.`, `Set ${name} to the public address.`),
    )
  else if (url.protocol !== 'https:')
    findings.push(
      wrong(
        name,
        'Without https browsers give no passkeys, and sign-in links can be read on their way.',
        `Put a proxy with a certificate in front, and set ${name} to https://${url.host}`,
      ),
    )
  return findings
}

async function answerFinding({ timeoutMs, quote }: Subject, name: string, text: string): Promise<Finding> {
  const at = `${new URL(text).origin}/health/live`
  try {
    const response = await fetch(at, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    const location = response.headers.get('location')
    if (location && response.status >= 300 && response.status < 400)
      return wrong(
        name,
        `It redirects to ${new URL(location, at).host}.`,
        `Set ${name} to the address that people see at the end.`,
      )
    if (response.status === 200 && (await isOurs(response)))
      return ok(name, `Our web process answers at ${new URL(text).host}.`)
    return wrong(
      name,
      `Something else than our web process answers at ${at}, with status ${response.status}.`,
      'See that the name leads to the proxy, the proxy to the web process, and that it passes on the Host header.',
    )
  } catch (error) {
    return wrong(
      name,
      `Nothing answers at ${at}: ${quote(error)}`,
      remedyFor(error, 'Start the web process (npm start), and see that the name leads to it, also from this machine.'),
    )
  }
}

async function isOurs(response: Response): Promise<boolean> {
  try {
    const text = await readBounded(response.body, MAX_ANSWER_BYTES, () => new Error('The answer is too large.'))
    return (JSON.parse(text.toString('utf8')) as { live?: unknown }).live === true
  } catch {
    return false
  }
}
