import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { env } from './env.ts'

/** What a derived key is for. Each purpose has a key of its own. */
export type Purpose =
  | 'api-key'
  | 'claim-token'
  | 'pin'
  | 'outbox'
  | 'idempotency'
  | 'job'
  | 'sign-in'
  | 'voucher-signer'
  | 'purchase-secret'
  | 'purchase-challenge'
  | 'proof-of-work'
  | 'payment'
  | 'payment-mark'
  | 'sandbox-cards'
  | 'email-integration'
  | 'webhook'
  | 'reveal'
  | 'invitation'
  | 'rate-limit'

const keys = new Map<string, Buffer>()

/** A 32-byte key for one purpose, derived from SERVER_KEY by HKDF-SHA256 (RFC 5869). */
export function keyFor(purpose: Purpose): Buffer {
  const known = keys.get(purpose)
  if (known) return known
  const root = purpose === 'voucher-signer' && env.VOUCHER_KEY ? env.VOUCHER_KEY : env.SERVER_KEY
  if (!/^[0-9a-f]{64}$/i.test(root)) throw new Error('SERVER_KEY must be 64 hex digits.')
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(root, 'hex'), Buffer.alloc(0), `vitrine/${purpose}/v1`, 32))
  keys.set(purpose, key)
  return key
}

/** HMAC-SHA256 over the parts. Each part is prefixed with its length, so that different lists never give the same input. */
export function hmac(purpose: Purpose, ...parts: (string | number)[]): Buffer {
  const mac = createHmac('sha256', keyFor(purpose))
  for (const part of parts) {
    const bytes = Buffer.from(String(part))
    mac.update(`${bytes.length}:`).update(bytes)
  }
  return mac.digest()
}

/** Compares in constant time. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * Encrypts a JSON value with AES-256-GCM. `boundTo` names the row it is stored in and is authenticated: copied to another row,
 * the value can't be opened.
 */
export function seal(purpose: Purpose, boundTo: string, value: unknown): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv).setAAD(Buffer.from(boundTo))
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

/** Decrypts what `seal` made for the same purpose and row. Throws when either differs or the bytes were changed. */
export function unseal<T>(purpose: Purpose, boundTo: string, sealed: Uint8Array): T {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, 12)).setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')) as T
}
