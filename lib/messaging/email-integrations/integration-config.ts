import type { EmailIntegration } from '../../../generated/prisma/client.ts'
import { MAIL_CONFIGS, MAIL_SECRETS, type MailProvider } from '../../platform/api/email-integrations.ts'
import { AppError } from '../../core/errors.ts'
import { seal, unseal } from '../../core/secrets.ts'
import type { MailSettings } from '../../ports/mail/mail.ts'

/** Config fields by their names in the contract, the secret ones among them. */
export type Config = Record<string, string | number | null | undefined>
type Stored = Pick<EmailIntegration, 'id' | 'provider' | 'config' | 'secrets'>

const isSecret = (provider: MailProvider, name: string) => (MAIL_SECRETS[provider] as readonly string[]).includes(name)
const presentFields = (config: Config, want: (name: string) => boolean): Config =>
  Object.fromEntries(
    Object.entries(config).filter(([name, value]) => value !== null && value !== undefined && want(name)),
  )

/** A config as its row keeps it: what is secret sealed and bound to the row, the rest plain. */
export const columnsOf = (id: string, provider: MailProvider, config: Config) => ({
  config: presentFields(config, (name) => !isSecret(provider, name)),
  secrets: new Uint8Array(
    seal(
      'email-integration',
      id,
      presentFields(config, (name) => isSecret(provider, name)),
    ),
  ),
})

export const plainConfigOf = ({ config }: Pick<Stored, 'config'>): Config => config as Config

export const secretsOf = ({ id, secrets }: Pick<Stored, 'id' | 'secrets'>): Record<string, string> =>
  unseal('email-integration', id, secrets)

/** The same, of a row whose key this installation may no longer have: then a secret is as good as gone. */
export function readableSecretsOf(row: Pick<Stored, 'id' | 'secrets'>): Record<string, string> {
  try {
    return secretsOf(row)
  } catch {
    return {}
  }
}

/** What the port is given, secrets opened. */
export function mailSettingsOf(row: Stored): MailSettings {
  const config = { email_from: '', ...plainConfigOf(row), ...secretsOf(row) } as Config
  const text = (name: string) => String(config[name])
  const port = typeof config.port === 'number' ? config.port : null
  switch (row.provider) {
    case 'MAIL_API':
      return {
        provider: 'MAIL_API',
        domain: text('domain'),
        region: text('region') as 'US' | 'EU',
        apiKey: text('api_key'),
      }
    case 'CLOUD_MAIL':
      return {
        provider: 'CLOUD_MAIL',
        region: text('region'),
        port,
        username: text('smtp_username'),
        password: text('smtp_password'),
      }
    case 'CUSTOM_SMTP':
      return {
        provider: 'CUSTOM_SMTP',
        host: text('host'),
        port,
        username: text('username'),
        password: text('password'),
      }
  }
}

/** Fields that this provider has, and values that it takes. `within` is where the caller wrote them. */
export function assertConfigChanges(provider: MailProvider, given: object, within: string): void {
  const secrets = new Set<string>(MAIL_SECRETS[provider])
  const told = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !(secrets.has(name) && (value === null || value === ''))),
  )
  const result = MAIL_CONFIGS[provider].partial().safeParse(told)
  if (result.success) return
  const fields = result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({
          field: within + name,
          code: 'unknown_field',
          detail: `There is no such field for ${provider}.`,
        }))
      : [
          {
            field: within + issue.path.join('.'),
            code: issue.code,
            detail: issue.message.replace(/([^.!?])$/, '$1.'),
          },
        ],
  )
  throw new AppError('invalid_request', `${fields[0]!.field}: ${fields[0]!.detail}`, { fields })
}
