import { readFileSync } from 'node:fs'

/** Settings that hold a secret, or a URL that may hold one. Each can be in a file instead, which <NAME>_FILE names. */
export const SECRET_SETTINGS: readonly string[] = [
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'DATABASE_READ_URL',
  'LISTEN_DATABASE_URL',
  'SERVER_KEY',
  'VOUCHER_KEY',
  'OPERATOR_KEYS',
  'NEXTAUTH_SECRET',
  'HEALTH_KEY',
  'BACKUP_KEY',
  'OAUTH_GOOGLE_SECRET',
  'OAUTH_GITHUB_SECRET',
  'OIDC_CLIENT_SECRET',
  'RPC_URLS',
  'SMTP_URL',
  'OPERATOR_WEBHOOK_URL',
  'OPERATOR_WEBHOOK_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'PINNING_KUBO_URL',
  'PINNING_PINATA_JWT',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
]

type Source = Record<string, string | undefined>
type Reader = (file: string) => string

/**
 * The settings with those that are in files read from there, without one line break at the end, and without the names
 * of the files. Throws an Error that names every setting whose file can't be used; it never shows what a file contains.
 */
export function withSecretFiles(source: Source, read: Reader = (file) => readFileSync(file, 'utf8')): Source {
  const settings = { ...source }
  const problems: string[] = []
  for (const name of SECRET_SETTINGS) {
    const file = source[`${name}_FILE`]
    delete settings[`${name}_FILE`]
    if (!file) continue
    if (source[name]) problems.push(`${name} and ${name}_FILE are both set. Keep one of them.`)
    else
      try {
        settings[name] = valueIn(read(file))
      } catch (error) {
        problems.push(`${name}_FILE: ${reasonOf(error)}`)
      }
  }
  if (problems.length > 0) throw new Error(`These settings are not valid:\n  ${problems.join('\n  ')}`)
  return settings
}

function valueIn(content: string): string {
  const value = content.replace(/\r?\n$/, '')
  if (value.trim() === '') throw new Error('The file is empty.')
  return value
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'There is no such file.'
  return code ? `The file can’t be read (${code}).` : message
}
