// npm run release -- 1.0.0: makes this state of the code that release. It writes the version everywhere, names the
// release's page and its part of the changelog, keeps what later versions are compared with, and makes the clients.
// docs/upgrades.md ("Making a release") says what comes before and after it.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { envSchema } from '../lib/core/env-schema.ts'
import { RELEASE } from '../lib/core/release.ts'
import { endpoints } from '../lib/platform/api/index.ts'
import { openapi } from '../lib/platform/api/openapi.ts'
import { writeVersion } from './release/places.ts'

const root = path.resolve(import.meta.dirname, '..')
const NEXT_PAGE = 'docs/releases/next.md'
const at = (file: string): string => path.join(root, file)
const read = (file: string): string => fs.readFileSync(at(file), 'utf8')

const [, , version = ''] = process.argv
const page = `docs/releases/${version}.md`
const refusal = whyNot()
if (refusal) {
  console.error(refusal)
  process.exit(1)
}

const today = new Date().toISOString().slice(0, 10)
fs.writeFileSync(at(page), read(NEXT_PAGE).replace(/^# .*$/m, `# ${version}`))
fs.rmSync(at(NEXT_PAGE))
fs.writeFileSync(
  at('CHANGELOG.md'),
  read('CHANGELOG.md')
    .replace(/^## Unreleased$/m, `## ${version} (${today})`)
    .replaceAll(NEXT_PAGE, page),
)
writeVersion(root, RELEASE, version)
// A process of its own, which reads the new version.
execFileSync('npm', ['run', 'client'], { cwd: root, stdio: 'inherit' })
keepPromises()
console.log(`This is ${version}. Read git diff; docs/upgrades.md says what is left to do.`)

function whyNot(): string | null {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return 'Say which release: npm run release -- 1.0.0'
  if (version.localeCompare(RELEASE, 'en', { numeric: true }) <= 0) return `${version} doesn’t come after ${RELEASE}.`
  if (!fs.existsSync(at(NEXT_PAGE))) return `Write ${NEXT_PAGE} first: what an operator must do for this release.`
  if (!/^## Unreleased$/m.test(read('CHANGELOG.md'))) return 'CHANGELOG.md has no part “Unreleased”.'
  return null
}

/** Both OpenAPI documents and the names of the settings, which tests/unit compares with those of later versions. */
function keepPromises(): void {
  const folder = at(`tests/fixtures/releases/${version}`)
  fs.mkdirSync(folder, { recursive: true })
  for (const which of ['public', 'admin'] as const) {
    const document = openapi(endpoints, which, 'https://vitrine.example')
    const info = { ...(document.info as object), version }
    const text = JSON.stringify({ ...document, info })
    fs.writeFileSync(path.join(folder, `openapi-${which}.json.gz`), gzipSync(text, { level: 9 }))
  }
  fs.writeFileSync(path.join(folder, 'settings.json'), `${JSON.stringify(Object.keys(envSchema.shape), null, 2)}\n`)
}
