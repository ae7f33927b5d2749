import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hmac, hmacsOf, isHmacOf, keyFor, seal, sealedBy, unseal } from '../../lib/core/secrets.ts'
import {
  KeyMissing,
  readServerKeys,
  replaceServerKeys,
  voucherKeyFrom,
  voucherKeys,
} from '../../lib/core/server-keys.ts'
import { nameOf, SEALED_COLUMNS } from '../../lib/data/keys/sealed-columns.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { proofOfWork } from '../../lib/ports/bot-check/proof-of-work.ts'
import { allSandboxKeys, idsOfKey, isPageToken, pageToken } from '../../lib/ports/sandbox-cards/keys.ts'
import { solveProof } from '../../lib/core/solve-proof.ts'

const [A, B, C] = ['a1'.repeat(32), 'b2'.repeat(32), 'c3'.repeat(32)]
const idOf = (key: string) => readServerKeys(key)[0]!.id

beforeEach(() => replaceServerKeys(A))
afterEach(() => replaceServerKeys(null))

/**
 * What was sealed before values named their keys: nonce, tag, ciphertext. Written here without the application's code.
 */
function sealAsBefore(root: string, purpose: string, boundTo: string, value: unknown, iv = randomBytes(12)): Buffer {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(root, 'hex'), '', `vitrine/${purpose}/v1`, 32))
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(boundTo))
  const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

test('what is sealed names its key, and every listed key opens what it sealed', () => {
  const sealed = seal('webhook', 'row', 'secret')
  expect(sealedBy(sealed)).toBe(idOf(A))
  replaceServerKeys(`${B},${A}`)
  expect(unseal('webhook', 'row', sealed)).toBe('secret')
  expect(sealedBy(seal('webhook', 'row', 'secret'))).toBe(idOf(B))
})

test('what no listed key opens is refused with the id of the missing key', () => {
  const sealed = seal('webhook', 'row', 'secret')
  replaceServerKeys(`${B},${C}`)
  expect(() => unseal('webhook', 'row', sealed)).toThrow(idOf(A))
  expect(() => unseal('webhook', 'row', sealed)).toThrow(KeyMissing)
})

test('what was sealed before values named keys opens with whichever listed key sealed it', () => {
  const before = sealAsBefore(A, 'outbox', 'row', { name: 'Ada' })
  expect(unseal('outbox', 'row', before)).toEqual({ name: 'Ada' })
  replaceServerKeys(`${B},${C},${A}`)
  expect(unseal('outbox', 'row', before)).toEqual({ name: 'Ada' })
  replaceServerKeys(B)
  expect(() => unseal('outbox', 'row', before)).toThrow(KeyMissing)
})

test('an older value whose nonce looks like the beginning of a newer one opens all the same', () => {
  const looks = Buffer.concat([seal('outbox', 'row', '').subarray(0, 8), randomBytes(4)])
  expect(unseal('outbox', 'row', sealAsBefore(A, 'outbox', 'row', 'text', looks))).toBe('text')
})

test('a sealed value without its beginning, with another key’s, or in another row doesn’t open', () => {
  const sealed = seal('outbox', 'row', 'text')
  replaceServerKeys(`${A},${B}`)
  const named = Buffer.concat([
    seal('outbox', 'row', '').subarray(0, 4),
    Buffer.from(idOf(B), 'hex'),
    sealed.subarray(8),
  ])
  for (const changed of [sealed.subarray(8), named]) expect(() => unseal('outbox', 'row', changed)).toThrow()
  expect(() => unseal('outbox', 'other row', sealed)).toThrow()
  expect(() => unseal('webhook', 'row', sealed)).toThrow()
})

test('an HMAC is made by the first key and recognised by every listed one', () => {
  const old = hmac('pin', 'claim', '123456')
  replaceServerKeys(`${B},${A}`)
  expect(hmac('pin', 'claim', '123456')).not.toEqual(old)
  expect(isHmacOf(old, 'pin', 'claim', '123456')).toBe(true)
  expect(hmacsOf('pin', 'claim', '123456').map(({ keyId }) => keyId)).toEqual([idOf(B), idOf(A)])
  replaceServerKeys(B)
  expect(isHmacOf(old, 'pin', 'claim', '123456')).toBe(false)
})

test('a key that isn’t 64 hex digits or is listed twice is refused', () => {
  for (const text of ['', 'a1', `${A},`, `${A} ${B}`, `${A},${'g'.repeat(64)}`, `${A},${A.toUpperCase()}`])
    expect(() => readServerKeys(text), text).toThrow('SERVER_KEY')
})

test('voucher signers don’t follow a change of the server key, and several keys without VOUCHER_KEY are refused', () => {
  const id = '01890000-0000-7000-8000-000000000001'
  const before = envKeyring([], keyFor('voucher-signer')).voucherSigner(id)
  const file = `derived:${voucherKeyFrom(readServerKeys(A)[0]!).toString('hex')}`
  replaceServerKeys(`${B},${A}`)
  expect(() => voucherKeys('')).toThrow('--voucher-key-file')
  expect(envKeyring([], () => voucherKeys(file)).voucherSigner(id)).toBe(before)
  expect(envKeyring([], () => voucherKeys(A)).voucherSigner(id)).toBe(before)
  const both = envKeyring([], () => voucherKeys(`${C},${file}`))
  expect(both.voucherSigners(id)).toEqual([both.voucherSigner(id), before])
  expect(() => voucherKeys('derived:a1')).toThrow('VOUCHER_KEY')
})

test('a proof of work for a challenge of an earlier key is accepted while that key is listed', async () => {
  const check = proofOfWork(4)
  const subject = { listingId: 'listing', client: '10.0.0.1', earlier: 0 }
  const { challenge, difficulty } = check.challenge(subject, new Date())
  const proof = await solveProof(challenge, difficulty)
  replaceServerKeys(`${B},${A}`)
  expect(check.accept(subject, proof, new Date())).not.toBeNull()
  replaceServerKeys(B)
  expect(check.accept(subject, proof, new Date())).toBeNull()
})

test('the built-in card provider knows its keys, links and ids of every listed key', () => {
  const [before] = allSandboxKeys()
  const token = pageToken('onboarding', 'acct_1')
  const [id] = idsOfKey('pi', 'request')
  replaceServerKeys(`${B},${A}`)
  expect(allSandboxKeys()[1]).toEqual(before)
  expect(isPageToken('onboarding', 'acct_1', token)).toBe(true)
  expect(idsOfKey('pi', 'request')).toContain(id)
})

/** Columns of bytes that are hashes, or public: nothing to open. */
const HASHES = [
  'passkey_challenges.browser_hash',
  'passkeys.public_key',
  // Sealed by the passkeys of recipients, whatever our keys are.
  'wallet_copies.id',
  'wallet_copies.sealed',
  'perk_codes.print',
  'sessions.token_hash',
  'setup_links.token_hash',
  'api_keys.secret_hash',
  'claim_tokens.hash',
  'claim_handovers.hash',
  'pins.hash',
  'idempotency_records.body_hash',
  'purchase_intents.secret_hash',
  'purchase_intents.proof_hash',
]

test('every column of bytes is a hash, or is sealed again when the key changes', () => {
  const schema = fs.readFileSync(path.resolve(import.meta.dirname, '../../prisma/schema.prisma'), 'utf8')
  const columns = schema.split(/^model /m).flatMap((model) => {
    const table = /@@map\("(\w+)"\)/.exec(model)?.[1]
    return [...model.matchAll(/^ {2}(\w+) +Bytes\??(?: .*@map\("(\w+)"\))?/gm)].map(
      ([, field, column]) => `${table}.${column ?? field}`,
    )
  })
  expect(columns.length).toBeGreaterThan(10)
  expect(columns.sort()).toEqual([...HASHES, ...SEALED_COLUMNS.map(nameOf)].sort())
})
