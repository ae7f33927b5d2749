import type { EmailIntegration } from '../../../generated/prisma/client.ts'
import { MAIL_CONFIGS, MAIL_SECRETS, type MailProvider } from '../../platform/api/email-integrations.ts'
import { AppError } from '../../core/errors.ts'
import { parseFields } from '../../core/parse-fields.ts'
import { seal, unseal } from '../../core/secrets.ts'
import type { MailSettings } from '../../ports/mail/mail.ts'

/** Config fields by their wire names, secrets included. */
export type Config = Record<string, string | number | null | undefined>
type Stored = Pick<EmailIntegration, 'id' | 'provider' | 'config' | 'secrets'>

/** Whether a config field of this provider is stored sealed. */
export const isSecret = (provider: MailProvider, name: string) =>
  (MAIL_SECRETS[provider] as readonly string[]).includes(name)
const presentFields = (config: Config, isWanted: (name: string) => boolean): Config =>
  Object.fromEntries(
    Object.entries(config).filter(([name, value]) => value !== null && value !== undefined && isWanted(name)),
  )

/** A config as its row stores it: secrets sealed and bound to the row, other fields plain. */
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

/** Like `secretsOf`, but without secrets when this installation no longer has the key that sealed them. */
export function readableSecretsOf(row: Pick<Stored, 'id' | 'secrets'>): Record<string, string> {
  try {
    return secretsOf(row)
  } catch {
    return {}
  }
}

/** The fields without secrets that are null or empty: those stay as they are. */
export const withoutBlankSecrets = (provider: MailProvider, given: object): Config =>
  Object.fromEntries(
    Object.entries(given as Config).filter(
      ([name, value]) => !(isSecret(provider, name) && (value === null || value === '')),
    ),
  )

/** The settings for the mail port, with secrets unsealed. */
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

/**
 * Throws `invalid_request` for a field that this provider lacks or a value it doesn't accept. `prefix` is put before
 * field names in the error.
 */
export function assertConfigChanges(provider: MailProvider, given: object, prefix: string): void {
  const { fields } = parseFields(MAIL_CONFIGS[provider].partial(), withoutBlankSecrets(provider, given))
  if (!fields) return
  const own = fields.map(({ field, code, detail }) => ({
    field: prefix + field,
    code,
    detail: code === 'unknown_field' ? `There is no such field for ${provider}.` : detail,
  }))
  throw new AppError('invalid_request', `${own[0]!.field}: ${own[0]!.detail}`, { fields: own })
}
