import { type Env, envSchema } from './env-schema.ts'
import { parseFields } from './parse-fields.ts'
import { isOfPasskeys } from './passkey-domain.ts'
import { withSecretFiles } from './secret-settings.ts'

/**
 * The settings of this process; secret ones may be in files (secret-settings.ts). An empty value counts as absent, and
 * quotes around a value aren't part of it: docker run and kubectl keep those of a file that a shell needs. Throws an
 * Error that names every invalid setting.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.entries(withSecretFiles(source))
    .map(([name, value]) => [name, value?.replace(/^(["'])(.*)\1$/s, '$2')] as const)
    .filter(([, value]) => value !== '')
  const { data, fields } = parseFields(envSchema, Object.fromEntries(given))
  if (!fields) return assertClaimOrigin(assertPasskeyOrigins(assertSigned(data)))
  // Every setting is text, so that isn't said.
  const lines = fields.map(({ field, detail }) => `  ${field}: ${detail.replace(/, got text\.$/, '.')}`)
  throw new Error(`These settings are not valid:\n${lines.join('\n')}`)
}

function assertSigned(settings: Env): Env {
  if (settings.OPERATOR_WEBHOOK_URL && !settings.OPERATOR_WEBHOOK_SECRET)
    throw new Error('OPERATOR_WEBHOOK_URL is set without OPERATOR_WEBHOOK_SECRET, which signs what is posted there.')
  return settings
}

/** Recipients' passkeys are bound to one domain: where the pages are elsewhere, nobody could open their wallet. */
function assertClaimOrigin(settings: Env): Env {
  const { CLAIM_ORIGIN, ORIGIN } = settings
  if (!CLAIM_ORIGIN || CLAIM_ORIGIN === ORIGIN) return settings
  const [at, main] = [new URL(CLAIM_ORIGIN), new URL(ORIGIN)]
  const domain = settings.PASSKEY_RP_ID || main.hostname
  if (at.origin !== CLAIM_ORIGIN)
    throw new Error('CLAIM_ORIGIN takes a scheme and a host only: https://gifts.example.com')
  if (at.protocol !== main.protocol || at.hostname === main.hostname)
    throw new Error('CLAIM_ORIGIN needs a host that differs from that of ORIGIN, and the same scheme.')
  if (!isOfPasskeys(at, domain) && !settings.PASSKEY_ORIGINS.includes(at.origin))
    throw new Error(
      `CLAIM_ORIGIN (${at.hostname}) must be the domain of recipients’ passkeys or lie under it (${domain}: ` +
        'PASSKEY_RP_ID, else the host of ORIGIN), or be in PASSKEY_ORIGINS.',
    )
  return settings
}

/** An origin of another domain is compared as browsers do: letter by letter. */
function assertPasskeyOrigins(settings: Env): Env {
  for (const origin of settings.PASSKEY_ORIGINS)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin || !origin.startsWith('https://'))
      throw new Error(`PASSKEY_ORIGINS takes https and a host only, such as https://new.example.com, not ${origin}.`)
  return settings
}

export const env: Env = readEnv()
