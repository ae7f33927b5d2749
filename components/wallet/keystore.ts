import { scryptAsync } from '@noble/hashes/scrypt.js'
import { bytesToHex, concat, hexToBytes, keccak256 } from 'viem'
import type { Address, Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { keyBytes, parseKey } from './derive.ts'

/** Web3 Secret Storage, version 3: the file format that other wallets import too. */
export type Keystore = {
  version: 3
  id: string
  address: string
  crypto: {
    cipher: 'aes-128-ctr'
    cipherparams: { iv: string }
    ciphertext: string
    kdf: 'scrypt'
    kdfparams: { n: number; r: number; p: number; dklen: number; salt: string }
    mac: string
  }
}

type Progress = (share: number) => void

const bare = (hex: string) => hex.replace(/^0x/, '')
const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => hexToBytes(`0x${bare(hex)}`).slice()

/** Encrypts a private key with a password. `n` is scrypt's work factor; the default takes about a second on a phone. */
export async function writeKeystore(key: Hex, password: string, onProgress?: Progress, n = 131_072): Promise<Keystore> {
  const salt = crypto.getRandomValues(new Uint8Array(32))
  const iv = crypto.getRandomValues(new Uint8Array(16))
  const kdfparams = { n, r: 8, p: 1, dklen: 32, salt: bare(bytesToHex(salt)) }
  const derived = await passwordKey(password, kdfparams, onProgress)
  const ciphertext = await cipher(derived, iv, keyBytes(key))
  return {
    version: 3,
    id: crypto.randomUUID(),
    address: bare(privateKeyToAddress(key)).toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: bare(bytesToHex(iv)) },
      ciphertext: bare(bytesToHex(ciphertext)),
      kdf: 'scrypt',
      kdfparams,
      mac: macOf(derived, ciphertext),
    },
  }
}

/** The faults of a keystore file, or of its password. */
const FAULTS = {
  password: 'This password doesn’t open this file.',
  noKey: 'This file doesn’t hold a key.',
  mismatch: 'This file is damaged: its key and its address don’t belong together.',
  notKeystore: 'This file isn’t a keystore file.',
  settings: 'This keystore file asks for settings we don’t support.',
  version: 'This isn’t a keystore file of version 3.',
  damaged: 'This keystore file is damaged.',
}

export class KeystoreError extends Error {
  readonly fault: keyof typeof FAULTS
  constructor(fault: keyof typeof FAULTS) {
    super(FAULTS[fault])
    this.fault = fault
  }
}

/** The private key in a keystore file's text. Throws a KeystoreError that says what is wrong with file or password. */
export async function readKeystore(text: string, password: string, onProgress?: Progress): Promise<Hex> {
  const { crypto: sealed, address } = parseKeystore(text)
  const derived =
    sealed.kdf === 'scrypt'
      ? await passwordKey(password, sealed.kdfparams, onProgress)
      : await passwordKeyPbkdf2(password, sealed.kdfparams)
  const ciphertext = bytesOf(sealed.ciphertext)
  if (macOf(derived, ciphertext) !== bare(sealed.mac).toLowerCase()) {
    throw new KeystoreError('password')
  }
  const key = parseKey(bytesToHex(await cipher(derived, bytesOf(sealed.cipherparams.iv), ciphertext)))
  if (!key) throw new KeystoreError('noKey')
  if (address && bare(address).toLowerCase() !== bare(privateKeyToAddress(key)).toLowerCase()) {
    throw new KeystoreError('mismatch')
  }
  return key
}

/** The name other wallets expect such a file to have. */
export function keystoreName(address: Address, at: Date): string {
  return `UTC--${at.toISOString().replaceAll(':', '-')}--${bare(address).toLowerCase()}.json`
}

type ScryptParams = { n: number; r: number; p: number; dklen: number; salt: string }
type Pbkdf2Params = { c: number; prf: string; dklen: number; salt: string }
type Sealed = { ciphertext: string; mac: string; cipherparams: { iv: string } } & (
  { kdf: 'scrypt'; kdfparams: ScryptParams } | { kdf: 'pbkdf2'; kdfparams: Pbkdf2Params }
)

/** Validates a file before its key is derived, so that a hostile one can't make the browser use gigabytes or days. */
function parseKeystore(text: string): { crypto: Sealed; address: string | null } {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw new KeystoreError('notKeystore')
  }
  const root = fields(file)
  const sealed = fields(root.crypto ?? root.Crypto)
  const params = fields(sealed.kdfparams)
  const number = (name: string, most: number) => {
    const value = params[name]
    if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > most) throw new KeystoreError('settings')
    return Number(value)
  }
  if (Number(root.version) !== 3 || sealed.cipher !== 'aes-128-ctr') throw new KeystoreError('version')
  const shared = {
    ciphertext: hexField(sealed.ciphertext),
    mac: hexField(sealed.mac),
    cipherparams: { iv: hexField(fields(sealed.cipherparams).iv) },
  }
  const address = typeof root.address === 'string' ? root.address : null
  const dklen = number('dklen', 64)
  if (dklen < 32) throw new KeystoreError('settings')
  const salt = hexField(params.salt)
  if (sealed.kdf === 'scrypt') {
    return {
      address,
      crypto: {
        ...shared,
        kdf: 'scrypt',
        kdfparams: { n: number('n', 1 << 20), r: number('r', 16), p: number('p', 16), dklen, salt },
      },
    }
  }
  if (sealed.kdf === 'pbkdf2' && params.prf === 'hmac-sha256') {
    return {
      address,
      crypto: { ...shared, kdf: 'pbkdf2', kdfparams: { c: number('c', 10_000_000), prf: 'hmac-sha256', dklen, salt } },
    }
  }
  throw new KeystoreError('settings')
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function hexField(value: unknown): string {
  if (typeof value === 'string' && /^(0x)?([0-9a-f]{2})+$/i.test(value)) return value
  throw new KeystoreError('damaged')
}

function passwordKey(password: string, params: ScryptParams, onProgress?: Progress): Promise<Uint8Array> {
  const { n, r, p, dklen, salt } = params
  if ((n & (n - 1)) !== 0 || n < 2) throw new KeystoreError('settings')
  return scryptAsync(password.normalize('NFKC'), bytesOf(salt), {
    N: n,
    r,
    p,
    dkLen: dklen,
    maxmem: 2 ** 31,
    ...(onProgress ? { onProgress } : {}),
  })
}

async function passwordKeyPbkdf2(password: string, { c, dklen, salt }: Pbkdf2Params): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(password.normalize('NFKC')),
    'PBKDF2',
    false,
    ['deriveBits'],
  )
  return new Uint8Array(
    await crypto.subtle.deriveBits(
      { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations: c },
      material,
      dklen * 8,
    ),
  )
}

/** AES-128-CTR encrypts and decrypts with the same operation. */
async function cipher(
  derived: Uint8Array,
  iv: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', derived.slice(0, 16), 'AES-CTR', false, ['encrypt'])
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CTR', counter: iv, length: 128 }, key, data))
}

const macOf = (derived: Uint8Array, ciphertext: Uint8Array) =>
  bare(keccak256(concat([derived.slice(16, 32), ciphertext])))
