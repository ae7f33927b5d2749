import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { replaceServerKeys } from '../../lib/core/server-keys.ts'
import { countOldKeyUses } from '../../lib/data/keys/count-old-key-uses.ts'
import { rotateSecret } from '../../lib/messaging/webhooks/rotate-secret.ts'
import { signatureHeaders } from '../../lib/messaging/webhooks/webhook-secret.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeWebhook } from '../support/webhooks.ts'

vi.setConfig({ testTimeout: 240_000 })

const [OLD, NEW] = ['a1'.repeat(32), 'b2'.repeat(32)]
const MOST_TIMES = 10

afterAll(() => replaceServerKeys(null))

/** npm run rotate-key. Gives the signal that ended it, or its status. */
function rotateKey(crashAt: string): string | number | null {
  const { signal, status } = spawnSync(process.execPath, [path.resolve('scripts/rotate-key.ts')], {
    env: { ...process.env, SERVER_KEY: `${NEW},${OLD}`, CRASH_AT: crashAt },
  })
  return signal ?? status
}

test('npm run rotate-key is killed after each batch and repeated: everything is sealed with the new key, and opens', async () => {
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  const organization = await makeOrganization()
  const webhook = await makeWebhook(organization)
  await rotateSecret(organization.ctx, webhook.id)
  const at = new Date(0)
  const signatures = async () => signatureHeaders(await webhook.row(), 'msg_1', { at, now: at }, '{}')
  const before = await signatures()

  const ends: (string | number | null)[] = []
  while (ends.length < MOST_TIMES && ends.at(-1) !== 0) ends.push(rotateKey('values_resealed'))
  expect(ends.length).toBeGreaterThan(2)
  expect(ends.slice(0, -1).every((end) => end === 'SIGKILL')).toBe(true)
  expect(ends.at(-1)).toBe(0)

  replaceServerKeys(NEW)
  const left = await countOldKeyUses(workerContext('test'))
  expect(left.filter(({ kind }) => kind === 'SEALED')).toEqual([])
  expect(await signatures()).toEqual(before)
})
