import { hkdfSync } from 'node:crypto'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { fromBase64Url, toBase64Url } from '../../components/shared/base64url.ts'
import { deriveKey, keyFromBytes, parseKey, prfSalt, randomKey } from '../../components/wallet/derive.ts'
import { isBackedUp } from '../../components/wallet/passkey.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const secret = Uint8Array.from({ length: 32 }, (_, at) => at)

describe('key derived from a passkey', () => {
  test('is 48 bytes of HKDF-SHA256 with our info, mod (n−1), plus 1', async () => {
    const bytes = Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), 'vitrine/eoa/v1/0', 48))
    const expected = (BigInt(`0x${bytes.toString('hex')}`) % (order - 1n)) + 1n
    expect(BigInt(await deriveKey(secret))).toBe(expected)
  })

  test('never changes, because a recipient’s address depends on it', async () => {
    expect(new TextDecoder().decode(prfSalt)).toBe('vitrine/prf-salt/v1')
    const key = await deriveKey(secret)
    expect(key).toBe('0xbc21404902b8cba658a48d510271adcf2cc292ca6ebfe3aced1d3c17068e547a')
    expect(privateKeyToAddress(key)).toBe('0xc6e764551456ea600666DAD627022f97D5EbD41A')
  })

  test('a secret of another length is refused', async () => {
    await expect(deriveKey(new Uint8Array(31))).rejects.toThrow('unexpected length')
  })

  test('is between 1 and the curve order minus 1', () => {
    expect(BigInt(keyFromBytes(new Uint8Array(48)))).toBe(1n)
    const largest = Buffer.from((order - 2n).toString(16).padStart(96, '0'), 'hex')
    expect(BigInt(keyFromBytes(largest))).toBe(order - 1n)
    const wraps = Buffer.from((order - 1n).toString(16).padStart(96, '0'), 'hex')
    expect(BigInt(keyFromBytes(wraps))).toBe(1n)
  })

  test('random keys differ and are well-formed', () => {
    expect(randomKey()).toMatch(/^0x[0-9a-f]{64}$/)
    expect(randomKey()).not.toBe(randomKey())
  })
})

test('a pasted key is accepted with or without 0x, and refused when invalid', () => {
  const digits = '1'.repeat(64)
  expect(parseKey(` 0x${digits}\n`)).toBe(`0x${digits}`)
  expect(parseKey(digits)).toBe(`0x${digits}`)
  expect(parseKey(digits.slice(1))).toBeNull()
  expect(parseKey('0'.repeat(64))).toBeNull()
  expect(parseKey(order.toString(16))).toBeNull()
})

test('a passkey is backed up when bits 3 and 4 of byte 32 of authenticator data are set', () => {
  const flags = (value: number) => Uint8Array.from({ length: 37 }, (_, at) => (at === 32 ? value : 0xff))
  expect(isBackedUp(flags(0x1d))).toBe(true)
  expect(isBackedUp(flags(0x0d))).toBe(false) // it could be, and isn't
  expect(isBackedUp(flags(0x05))).toBe(false)
  expect(isBackedUp(new Uint8Array(0))).toBe(false)
})

test('base64url encoding and decoding gives the same bytes', () => {
  const bytes = Uint8Array.from({ length: 33 }, (_, at) => (at * 67) % 256)
  expect(toBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
  expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
})
