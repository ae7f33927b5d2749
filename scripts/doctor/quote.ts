import type { Env } from '../../lib/core/env-schema.ts'
import { SECRET_SETTINGS } from '../../lib/core/secret-settings.ts'
import { redactSecrets } from '../../lib/ports/mail/mail.ts'

const LONGEST = 300

/** An error in one line, without the secrets of the settings. */
export function quoting(settings: Env): (error: unknown) => string {
  const secrets = secretsIn(settings)
  return (error) => {
    const { message, cause } = error as Error
    const lines = `${message || (error as NodeJS.ErrnoException).code || String(error)}`
      .split('\n')
      .map((line) => line.trim())
    const line = lines.findLast((each) => each !== '') ?? 'no reason given'
    const reason = cause instanceof Error && !line.includes(cause.message) ? `${line} (${cause.message})` : line
    return redactSecrets(reason, secrets).slice(0, LONGEST)
  }
}

/**
 * The values of secret settings, and of those with URLs also passwords, and paths that may hold a key. The longest come
 * first.
 */
function secretsIn(settings: Env): string[] {
  const values = Object.entries(settings)
    .filter(([name]) => SECRET_SETTINGS.includes(name))
    .flatMap(([, value]) => String(value).split(/[,;]/))
    .map((value) => value.trim())
  const parts = values.flatMap((value) => {
    const url = value.replace(/^\d+=/, '')
    if (!URL.canParse(url)) return [value]
    const { password, pathname, search } = new URL(url)
    return [value, url, decodeURIComponent(password), password, pathname.length > 12 ? pathname : '', search]
  })
  return [...new Set(parts.filter((part) => part !== ''))].sort((a, b) => b.length - a.length)
}
