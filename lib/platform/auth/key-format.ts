import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { currentKeyId, hmac, hmacsOf, type KeyedMac } from '../../core/secrets.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORMAT = /^vt_(test|live)_([0-9A-Za-z]{8})_([0-9A-Za-z_-]{43})([0-9A-Za-z]{6})$/

const checksumOf = (text: string): string => {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) out = ALPHABET[rest % 62] + out
  return out
}

/**
 * A new API key, `vt_test_<8>_<43><6>`: short id, 32 random bytes in base64url, CRC-32 checksum. Only `secretHash` is
 * stored.
 */
export function newKey(mode: 'TEST' | 'LIVE'): {
  key: string
  shortId: string
  secretHash: Buffer
  serverKeyId: string
} {
  const shortId = Array.from(randomBytes(8), (byte) => ALPHABET[byte % 62]).join('')
  const secret = randomBytes(32).toString('base64url')
  const body = `vt_${mode.toLowerCase()}_${shortId}_${secret}`
  return { key: body + checksumOf(body), shortId, secretHash: hmac('api-key', secret), serverKeyId: currentKeyId() }
}

/**
 * The parts of a key, with its secret's hash by each listed server key, the newest first; null when its form or
 * checksum is wrong, which saves a database query.
 */
export function readKey(key: string): { mode: 'TEST' | 'LIVE'; shortId: string; hashes: KeyedMac[] } | null {
  const [, mode, shortId, secret] = FORMAT.exec(key) ?? []
  if (!mode || !shortId || !secret || checksumOf(key.slice(0, -6)) !== key.slice(-6)) return null
  return { mode: mode === 'live' ? 'LIVE' : 'TEST', shortId, hashes: hmacsOf('api-key', secret) }
}
