import { bytesToHex, hexToBytes } from 'viem'
import type { Hex } from 'viem'
import { toBase64Url } from '../shared/base64url.ts'

/** The order n of secp256k1's group: a private key is a number from 1 to n − 1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Never change these two: every recipient's address is derived from them. The last number is the account's index. */
export const prfSalt: Uint8Array<ArrayBuffer> = new TextEncoder().encode('vitrine/prf-salt/v1')
const info = new TextEncoder().encode('vitrine/eoa/v1/0')
/** Neither may these: what a second passkey has sealed is found and opened by them. */
const copyIdInfo = new TextEncoder().encode('vitrine/copy-id/v1')
const copyKeyInfo = new TextEncoder().encode('vitrine/copy-key/v1')

/**
 * Derives the private key from a passkey's PRF output: HKDF-SHA256 without salt to 48 bytes, taken mod (n−1), plus 1.
 * The 16 bytes beyond the order's 32 make the bias of the modulus negligible.
 */
export async function deriveKey(prfOutput: Uint8Array): Promise<Hex> {
  return keyFromBytes(await expand(prfOutput, info, 48))
}

/**
 * The key with which a passkey seals a wallet's key, and the name under which the sealed key is kept. Neither tells
 * anything of the wallet that is derived from the passkey.
 */
export type CopySecrets = { id: string; key: CryptoKey }

export async function deriveCopySecrets(prfOutput: Uint8Array): Promise<CopySecrets> {
  const key = await expand(prfOutput, copyKeyInfo, 32)
  return {
    id: toBase64Url(await expand(prfOutput, copyIdInfo, 32)),
    key: await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']),
  }
}

/** HKDF-SHA256 without salt. */
async function expand(prfOutput: Uint8Array, info: BufferSource, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (prfOutput.length !== 32) throw new Error('The passkey gave a secret of an unexpected length.')
  const material = await crypto.subtle.importKey('raw', prfOutput.slice(), 'HKDF', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info },
    material,
    bytes * 8,
  )
  return new Uint8Array(bits)
}

/** A key for a wallet without a passkey, from the browser's random numbers. */
export function randomKey(): Hex {
  return keyFromBytes(crypto.getRandomValues(new Uint8Array(48)))
}

/** Maps 48 bytes to a private key without a noticeable bias. */
export function keyFromBytes(bytes: Uint8Array): Hex {
  const number = (BigInt(bytesToHex(bytes)) % (order - 1n)) + 1n
  return `0x${number.toString(16).padStart(64, '0')}`
}

/** Parses a pasted private key; null when it isn't one. */
export function parseKey(text: string): Hex | null {
  const digits = text.trim().replace(/^0x/i, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(digits)) return null
  const number = BigInt(`0x${digits}`)
  return number > 0n && number < order ? `0x${digits}` : null
}

export const keyBytes = (key: Hex): Uint8Array<ArrayBuffer> => hexToBytes(key).slice()
