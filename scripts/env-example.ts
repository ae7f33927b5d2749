// npm run env-example: writes .env.example from the table of settings.
import fs from 'node:fs'
import path from 'node:path'
import { envSchema } from '../lib/core/env-schema.ts'
import { SECRET_SETTINGS } from '../lib/core/secret-settings.ts'

/** The content of .env.example: every setting with its meaning and default. */
export function envExample(): string {
  const head = [
    '# Every setting of Vitrine. Written by npm run env-example; copy it to .env, and set there what differs from the defaults shown.',
    '#',
    '# Secrets can be in files instead: <NAME>_FILE names the file (SERVER_KEY_FILE=/run/secrets/server_key). This goes for',
    `# ${SECRET_SETTINGS.filter((name) => name in envSchema.shape).join(', ')}.`,
    '',
  ]
  const settings = Object.entries(envSchema.shape).flatMap(([name, schema]) => {
    const fallback = schema.safeParse(undefined)
    const shown =
      fallback.success && !['', false].includes(fallback.data as string) ? [fallback.data].flat().join(',') : ''
    return [...(schema.description ? ['', `# ${schema.description}`] : []), `# ${name}=${shown}`]
  })
  return [...head, ...settings].join('\n').replace(/\n{3,}/g, '\n\n') + '\n'
}

if (import.meta.main) fs.writeFileSync(path.resolve(import.meta.dirname, '../.env.example'), envExample())
