// npm run release-fixture: fills a running sandbox with something of every kind and keeps its rows, from which
// tests/domain/upgrade.test.ts upgrades. Start the sandbox with `npm run up -- --fresh`.
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { DatabaseClient } from '../lib/db/database-client.ts'
import { RELEASE } from '../lib/core/release.ts'
import type { Release } from '../lib/db/upgrade-state.ts'
import { readOrCreateSecrets } from './launcher/secrets.ts'
import { makeCollection, makeItems } from './release-fixture/gifts.ts'
import { playStories } from './release-fixture/play-stories.ts'
import { dumpRows, type Manifest } from './release-fixture/rows.ts'
import { apiOf, readSandbox } from './release-fixture/sandbox.ts'

const root = path.resolve(import.meta.dirname, '..')
const dataDir = path.resolve(root, process.env.DATA_DIR || '.data')
const sandbox = readSandbox(dataDir)
const secrets = readOrCreateSecrets(dataDir)
Object.assign(process.env, { DATABASE_URL: sandbox.runtime_database_url, SERVER_KEY: secrets.SERVER_KEY })
// These modules read the settings when they are imported, so they are imported after the settings were made.
const { createOrganization } = await import('../lib/organizations/create-organization.ts')
const { systemContext, organizationContext } = await import('../lib/platform/auth/authenticate.ts')
const { createApiKey } = await import('../lib/records/api-keys/create-api-key.ts')
const { ROLE_PERMISSIONS, PERMISSIONS } = await import('../lib/platform/api/permissions.ts')
const { disconnect } = await import('../lib/db/client.ts')

const folder = path.join(root, 'tests/fixtures/releases', RELEASE)
if (fs.existsSync(path.join(folder, 'manifest.json')))
  throw new Error(
    `The rows of ${RELEASE} are kept already. First npm run release gives this state of the code its version.`,
  )

const gifts = await playStories(sandbox)
const second = await secondOrganization()

const client = new DatabaseClient({ connectionString: sandbox.database_url })
await client.connect()
const { lines, ...counted } = await dumpRows(client)
await client.end()
const manifest: Manifest = {
  release: RELEASE,
  made_at: new Date().toISOString(),
  ...counted,
  settings: { SERVER_KEY: secrets.SERVER_KEY },
  facts: {
    organizations: [{ id: sandbox.organization_id, api_key: sandbox.api_key }, second],
    links: gifts.links,
    pin: gifts.pin,
  },
}
fs.mkdirSync(folder, { recursive: true })
fs.writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
fs.writeFileSync(path.join(folder, 'rows.gz'), gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
const releasesFile = path.join(root, 'prisma/releases.json')
const known = (JSON.parse(fs.readFileSync(releasesFile, 'utf8')) as Release[]).filter(
  (each) => each.version !== RELEASE,
)
const latest = { version: RELEASE, migration: Object.keys(counted.migrations).at(-1)! }
fs.writeFileSync(releasesFile, `${JSON.stringify([...known, latest], null, 2)}\n`)
console.log(`${path.relative(root, folder)}: ${lines.length} rows of ${Object.keys(counted.rows).length} tables.`)
await disconnect()
process.exit(0)

/** Another organization with a key and a claim of its own. */
async function secondOrganization(): Promise<{ id: string; api_key: string }> {
  const email = 'owner@second.example'
  const made = await createOrganization(systemContext('release-fixture'), { name: 'Second', owner_email: email })
  const actor = {
    type: 'member' as const,
    id: made.memberId,
    userId: made.userId,
    email,
    permissions: ROLE_PERMISSIONS.OWNER,
    session: { id: crypto.randomUUID(), signedInAt: new Date(), passkeyId: null },
  }
  const ctx = organizationContext(made.organizationId, 'release-fixture', actor)
  const { key } = await createApiKey(ctx, { name: 'Second', permissions: [...PERMISSIONS], mode: 'TEST' })
  const theirs = apiOf(sandbox.origin, key)
  const id = await makeCollection(theirs, sandbox, 'Second')
  const [itemId] = await makeItems(theirs, id, ['Theirs'])
  await theirs.post('/v1/email-claims', { email: 'someone@second.example', item_id: itemId })
  return { id: made.organizationId, api_key: key }
}
