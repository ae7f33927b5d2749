// npm run openapi:lint: checks both OpenAPI documents against the rules of redocly.yaml.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endpoints } from '../lib/platform/api/index.ts'
import { openapi } from '../lib/platform/api/openapi.ts'

const root = path.resolve(import.meta.dirname, '..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-openapi-'))
try {
  const files = (['public', 'admin'] as const).map((which) => {
    const file = path.join(folder, `${which}.json`)
    fs.writeFileSync(file, JSON.stringify(openapi(endpoints, which, 'https://vitrine.example'), null, 2))
    return file
  })
  const { status, error } = spawnSync(
    path.join(root, 'node_modules/.bin/redocly'),
    ['lint', '--config', path.join(root, 'redocly.yaml'), '--format', 'stylish', ...files],
    { stdio: 'inherit', env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  if (error) throw error
  process.exitCode = status ?? 1
} finally {
  fs.rmSync(folder, { recursive: true })
}
