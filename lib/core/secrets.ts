import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { findServerKey, KeyMissing, type ServerKey, serverKeys, voucherKeys } from './server-keys.ts'

/** The kinds of values that are encrypted at rest. lib/data/keys re-seals each of them. */
export type SealedPurpose = 'outbox' | 'idempotency' | 'payment' | 'email-integration' | 'webhook' | 'reveal' | 'perk'

/**
 * The purposes of derived keys. Each has a key of its own; docs/keys.md says what becomes of each when the key changes.
 */
export type Purpose =
  | SealedPurpose
  | 'api-key'
  | 'claim-token'
  | 'pin'
  | 'opt-out'
  | 'pin-proof'
  | 'sign-in'
  | 'voucher-signer'
  | 'purchase-secret'
  | 'purchase-challenge'
  | 'wallet-proof'
  | 'proof-of-work'
  | 'payment-mark'
  | 'sandbox-cards'
  | 'rate-limit'
  | 'cursor'

const derive = (key: ServerKey, purpose: Purpose): KeyObject => key.derive(`${purpose}/v1`)

/** The 32-byte key that makes what is new for one purpose, derived from the first key in SERVER_KEY. */
export const keyFor = (purpose: Purpose): Buffer =>
  purpose === 'voucher-signer' ? voucherKeys()[0]! : derive(serverKeys()[0]!, purpose).export()

type Parts = readonly (string | number)[]

/**
 * HMAC-SHA256 over the parts. Each part is prefixed with its length, so that different lists never give the same input.
 */
function macOf(key: ServerKey, purpose: Purpose, parts: Parts): Buffer {
  const mac = createHmac('sha256', derive(key, purpose))
  for (const part of parts) {
    const bytes = Buffer.from(String(part))
    mac.update(`${bytes.length}:`).update(bytes)
  }
  return mac.digest()
}

/** An HMAC by the first key in SERVER_KEY, for what is made now. */
export const hmac = (purpose: Purpose, ...parts: Parts): Buffer => macOf(serverKeys()[0]!, purpose, parts)

/** The id of the key that makes what is new, for whoever stores it beside an HMAC. */
export const currentKeyId = (): string => serverKeys()[0]!.id

export type KeyedMac = { keyId: string; mac: Buffer }

/** The HMACs by all listed keys, the newest first. An HMAC that was made earlier is compared with each of them. */
export const hmacsOf = (purpose: Purpose, ...parts: Parts): KeyedMac[] =>
  serverKeys().map((key) => ({ keyId: key.id, mac: macOf(key, purpose, parts) }))

/** Whether one of the listed keys made this HMAC. */
export const isHmacOf = (given: Uint8Array, purpose: Purpose, ...parts: Parts): boolean =>
  hmacsOf(purpose, ...parts).some(({ mac }) => sameBytes(mac, given))

/** Compares in constant time. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

// A sealed value begins with these bytes and the id of its key; then come the nonce (12 bytes), the tag (16) and the
// ciphertext. Older values begin with their nonce. The beginning is authenticated, so the bytes of one form never open
// as the other.
const MARK = Buffer.from('vtk1')
const HEADER_BYTES = MARK.length + 4

/** The first bytes of everything that a key seals. */
export const sealHeader = (keyId = currentKeyId()): Buffer => Buffer.concat([MARK, Buffer.from(keyId, 'hex')])

/**
 * Encrypts a JSON value with AES-256-GCM. `boundTo` names the row it is stored in and is authenticated: copied to
 * another row, the value can't be opened.
 */
export function seal(purpose: SealedPurpose, boundTo: string, value: unknown): Buffer {
  const [key] = serverKeys()
  const header = sealHeader(key!.id)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derive(key!, purpose), iv)
  cipher.setAAD(Buffer.concat([header, Buffer.from(boundTo)]))
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([header, iv, cipher.getAuthTag(), text])
}

/** Which key sealed a value; null when it was sealed before values named their keys. */
export const sealedBy = (bytes: Uint8Array): string | null =>
  MARK.equals(bytes.subarray(0, MARK.length))
    ? Buffer.from(bytes.subarray(MARK.length, HEADER_BYTES)).toString('hex')
    : null

/** Decrypts what `seal` made for the same purpose and row. Throws `KeyMissing` when no listed key opens it. */
export function unseal<T>(purpose: SealedPurpose, boundTo: string, sealed: Uint8Array): T {
  const bytes = Buffer.from(sealed)
  const keyId = sealedBy(bytes)
  const named = keyId === null ? undefined : findServerKey(keyId)
  if (named) {
    const [header, rest] = [bytes.subarray(0, HEADER_BYTES), bytes.subarray(HEADER_BYTES)]
    const opened = open(derive(named, purpose), Buffer.concat([header, Buffer.from(boundTo)]), rest)
    if (opened !== null) return JSON.parse(opened) as T
  }
  // An older value: authentication tells which key is the right one.
  for (const key of serverKeys()) {
    const opened = open(derive(key, purpose), Buffer.from(boundTo), bytes)
    if (opened !== null) return JSON.parse(opened) as T
  }
  if (named) throw new Error(`This ${purpose} value was changed, or belongs to another row than ${boundTo}.`)
  throw new KeyMissing(`A sealed ${purpose} value`, keyId)
}

/** The text, or null when the key, the row or the bytes differ. */
function open(key: KeyObject, authenticated: Buffer, bytes: Buffer): string | null {
  if (bytes.length < 28) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(authenticated)
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
