import { MAX_GAS_PER_MINT } from '../../../lib/core/gas.ts'
import { sealingKey } from '../../../lib/data/backup/keys.ts'
import { readTokens } from '../../../lib/offers/networks/payment-tokens.ts'
import { parseTrustedProxies } from '../../../lib/platform/http/trusted-proxies.ts'
import { startProblems } from '../../../lib/ports/start-problems.ts'
import { type Check, type Finding, ok, type Subject, warning, wrong } from '../check.ts'

/** Whether web and worker start with these settings, and what they do without. */
export const settings: Check = {
  name: 'settings',
  run: async (subject) => {
    const findings = [...refused(subject), ...missing(subject)]
    return findings.length > 0 ? findings : [ok('settings', 'Web and worker start with them.')]
  },
}

const refused = ({ settings, quote }: Subject): Finding[] => {
  const parsed: [string, () => unknown][] = [
    ['PAYMENT_TOKENS', () => readTokens(settings.PAYMENT_TOKENS)],
    ['TRUSTED_PROXIES', () => parseTrustedProxies(settings.TRUSTED_PROXIES)],
    ['BACKUP_PUBLIC_KEY', () => (settings.BACKUP_KEY || settings.BACKUP_PUBLIC_KEY) && sealingKey(settings)],
  ]
  return [
    ...startProblems(settings).map((problem) => wrong('settings', problem, 'Web and worker refuse to start before.')),
    ...parsed.flatMap(([name, parse]) => {
      try {
        parse()
        return []
      } catch (error) {
        return [wrong(name, quote(error), `.env.example shows the form of ${name}.`)]
      }
    }),
  ]
}

function missing({ settings }: Subject): Finding[] {
  const findings: Finding[] = []
  if (!settings.RPC_URLS)
    findings.push(
      warning(
        'RPC_URLS',
        'No network is set, so nothing can be minted.',
        'Set RPC_URLS to the networks and their nodes.',
      ),
    )
  else if (settings.OPERATOR_KEYS.length === 0)
    findings.push(
      wrong(
        'OPERATOR_KEYS',
        'No operator is set, so no transaction is sent.',
        'Set OPERATOR_KEYS, and fund the account.',
      ),
    )
  if (BigInt(settings.EXTERNAL_MINT_GAS) < MAX_GAS_PER_MINT)
    findings.push(
      warning(
        'EXTERNAL_MINT_GAS',
        `Every mint at another’s contract may fail: an ordinary one needs up to ${MAX_GAS_PER_MINT} gas.`,
        'Set EXTERNAL_MINT_GAS higher, or leave it out.',
      ),
    )
  if (!settings.OPERATOR_EMAIL && !settings.OPERATOR_WEBHOOK_URL)
    findings.push(
      warning(
        'OPERATOR_EMAIL',
        'Nobody is told of the installation’s alarms.',
        'Set OPERATOR_EMAIL or OPERATOR_WEBHOOK_URL.',
      ),
    )
  if (settings.PLATFORM_FEE_BPS > 0 && !settings.PLATFORM_FEE_ADDRESS)
    findings.push(
      warning(
        'PLATFORM_FEE_ADDRESS',
        'There is a platform fee, and no address that receives it in crypto sales.',
        'Set PLATFORM_FEE_ADDRESS.',
      ),
    )
  if (settings.VITRINE_SANDBOX && settings.ORIGIN.startsWith('https:'))
    findings.push(
      warning(
        'VITRINE_SANDBOX',
        'The sandbox’s inbox shows all mail to everybody, and ORIGIN looks like a public address.',
        'Leave VITRINE_SANDBOX out in production.',
      ),
    )
  return findings
}
