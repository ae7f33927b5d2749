import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CrashPoint } from '../../lib/core/crash.ts'
import { replaceServerKeys } from '../../lib/core/server-keys.ts'
import { countOldKeyUses } from '../../lib/data/keys/count-old-key-uses.ts'
import { rotateSecret } from '../../lib/messaging/webhooks/rotate-secret.ts'
import { signatureHeaders } from '../../lib/messaging/webhooks/webhook-secret.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { makeWebhook } from '../support/webhooks.ts'

vi.setConfig({ testTimeout: 240_000 })

const [OLD, NEW] = ['a1'.repeat(32), 'b2'.repeat(32)]
const MOST_TIMES = 10

let chain: TestChain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => replaceServerKeys(null))

/**
 * Runs a command of the operator until it ends by itself, which dies each time it comes by a point. Returns how often
 * it died.
 */
function killEachTime(command: string, point: CrashPoint, env: Record<string, string>, args: string[] = []): number {
  for (let kills = 0; kills < MOST_TIMES; kills++) {
    const { signal, status, stderr } = spawnSync(process.execPath, [path.resolve(command), ...args], {
      env: { ...process.env, ...env, CRASH_AT: point },
      encoding: 'utf8',
    })
    if (signal === 'SIGKILL') continue
    expect(status, stderr).toBe(0)
    return kills
  }
  throw new Error(`${command} comes by ${point} again and again.`)
}

const COLLECTIONS = 2

/** Collections of an organization of their own, with keys that shall take over theirs. */
async function makeCollections() {
  const [operatorKey, otherKey] = [chain.operatorKey, generatePrivateKey()]
  const [earlier, newer] = [randomBytes(32), randomBytes(32)]
  replacePorts({ keys: envKeyring([operatorKey], earlier) })
  const organization = await makeOrganization()
  const made: Awaited<ReturnType<typeof makeOnChainCollection>>[] = []
  for (let count = 0; count < COLLECTIONS; count++) made.push(await makeOnChainCollection(organization, chain))
  replacePorts({ keys: envKeyring([operatorKey, otherKey], () => [newer, earlier]) })
  const hex = (key: Buffer) => `derived:${key.toString('hex')}`
  const { db } = organization.ctx
  return {
    operator: chain.operator.address,
    other: privateKeyToAccount(otherKey).address,
    env: { ...chain.env, OPERATOR_KEYS: `${operatorKey},${otherKey}`, VOUCHER_KEY: `${hex(newer)},${hex(earlier)}` },
    /** Has the open transactions sent. Returns how many changed roles. */
    send: async () => {
      await made[0]!.sender.run()
      const changes = await db.transaction.findMany({ where: { txType: 'SET_ROLES' } })
      expect(changes.every(({ state, onChainStatus }) => state === 'COMPLETED' && onChainStatus === 'SUCCESS')).toBe(
        true,
      )
      return changes.length
    },
    collections: () => db.collection.findMany({ select: { id: true, minter: true, signer: true } }),
  }
}

test('npm run rotate-operator is killed after each collection and repeated: one transaction for each, and a new minter', async () => {
  const { operator, other, env, send, collections } = await makeCollections()
  const args = ['--from', operator, '--to', other]
  expect(killEachTime('scripts/rotate-operator.ts', 'minter_requested', env, args)).toBe(COLLECTIONS)
  expect(await send()).toBe(COLLECTIONS)
  expect((await collections()).map(({ minter }) => minter)).toEqual([other, other])
  expect(killEachTime('scripts/rotate-operator.ts', 'minter_requested', env, args)).toBe(0)
})

test('npm run rotate-signer is killed after each collection and repeated: one transaction for each, and a new signer', async () => {
  const { env, send, collections } = await makeCollections()
  expect(killEachTime('scripts/rotate-signer.ts', 'signer_requested', env)).toBe(COLLECTIONS)
  expect(await send()).toBe(COLLECTIONS)
  const { keys } = ports()
  for (const { id, signer } of await collections()) expect(signer).toBe(keys.voucherSigner(id))
  expect(killEachTime('scripts/rotate-signer.ts', 'signer_requested', env)).toBe(0)
})

test('npm run rotate-key is killed after each batch and repeated: everything is sealed with the new key, and opens', async () => {
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
  const organization = await makeOrganization()
  const webhook = await makeWebhook(organization)
  await rotateSecret(organization.ctx, webhook.id)
  const at = new Date(0)
  const signatures = async () => signatureHeaders(await webhook.row(), 'msg_1', { at, now: at }, '{}')
  const before = await signatures()

  const kills = killEachTime('scripts/rotate-key.ts', 'values_resealed', { SERVER_KEY: `${NEW},${OLD}` })
  expect(kills).toBeGreaterThan(1)

  replaceServerKeys(NEW)
  const left = await countOldKeyUses(systemContext('test'))
  expect(left.filter(({ kind }) => kind === 'SEALED')).toEqual([])
  expect(await signatures()).toEqual(before)
})
