import { readBounded } from '../../../lib/core/read-bounded.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'
import { remedyFor } from '../remedy.ts'

const MAX_ANSWER_BYTES = 100_000

/** Whether something answers at each address that the settings name and no other check asks. Nothing is sent there. */
export const services: Check = {
  name: 'services',
  run: async (subject) => {
    const { settings } = subject
    const named: [string, string][] = [
      ['OPERATOR_WEBHOOK_URL', settings.OPERATOR_WEBHOOK_URL],
      ['PINNING_KUBO_URL', settings.PINNING_KUBO_URL],
      ['PINNING_PINATA_URL', settings.PINNING_PINATA_JWT && settings.PINNING_PINATA_URL],
      ['IPFS_GATEWAY', settings.IPFS_GATEWAY],
      ['MAILGUN_API_BASE', settings.MAILGUN_API_BASE],
      ...settings.PASSKEY_ORIGINS.map((origin): [string, string] => ['PASSKEY_ORIGINS', origin]),
    ]
    return Promise.all([
      ...(settings.OIDC_ISSUER ? [issuerFinding(subject, settings.OIDC_ISSUER)] : []),
      ...named.filter(([, url]) => url !== '').map(([name, url]) => answerFinding(subject, name, url)),
    ])
  },
}

/** Any answer will do: what is asked for there takes other methods, paths or a login. */
async function answerFinding({ timeoutMs, quote }: Subject, name: string, url: string): Promise<Finding> {
  if (!URL.canParse(url)) return wrong(name, 'It is not a URL.', 'It begins with https://')
  const { host } = new URL(url)
  try {
    const { status } = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (status < 500) return ok(name, `${host} answers.`)
    return warning(name, `${host} answers with status ${status}.`, 'See whether the service is in order.')
  } catch (error) {
    const remedy = remedyFor(error, `See that ${name} is right, and that the service runs.`)
    return wrong(name, `Nothing answers at ${host}: ${quote(error)}`, remedy)
  }
}

/** Nobody signs in with a provider whose configuration names another issuer. */
async function issuerFinding({ timeoutMs, quote }: Subject, issuer: string): Promise<Finding> {
  const at = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const response = await fetch(at, { signal: AbortSignal.timeout(timeoutMs) })
    const text = await readBounded(response.body, MAX_ANSWER_BYTES, () => new Error('The answer is too large.'))
    const found = (JSON.parse(text.toString('utf8')) as { issuer?: unknown } | null)?.issuer
    if (found === issuer) return ok('OIDC_ISSUER', `${new URL(issuer).host} answers.`)
    return wrong(
      'OIDC_ISSUER',
      `The provider calls itself ${String(found)}.`,
      'Set OIDC_ISSUER to that, letter by letter.',
    )
  } catch (error) {
    const remedy = remedyFor(error, `See that ${at} shows the provider’s configuration.`)
    return wrong('OIDC_ISSUER', `The provider’s configuration can’t be read: ${quote(error)}`, remedy)
  }
}
