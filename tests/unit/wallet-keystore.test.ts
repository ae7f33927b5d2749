import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { randomKey } from '../../components/wallet/derive.ts'
import { keystoreName, readKeystore, writeKeystore } from '../../components/wallet/keystore.ts'

/** The two test vectors of the Web3 Secret Storage definition. */
const published = {
  key: '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
  password: 'testpassword',
  scrypt: {
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
      ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
      kdf: 'scrypt',
      kdfparams: {
        dklen: 32,
        n: 262144,
        r: 1,
        p: 8,
        salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
      },
      mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
    },
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    version: 3,
  },
  pbkdf2: {
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
      ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
      kdf: 'pbkdf2',
      kdfparams: {
        c: 262144,
        dklen: 32,
        prf: 'hmac-sha256',
        salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
      },
      mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
    },
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    version: 3,
  },
}

const CHEAP_SCRYPT_N = 1024

describe('keystore files of other wallets', () => {
  test('the published scrypt test vector opens', async () => {
    expect(await readKeystore(JSON.stringify(published.scrypt), published.password)).toBe(published.key)
  })

  test('the published pbkdf2 test vector opens', async () => {
    expect(await readKeystore(JSON.stringify(published.pbkdf2), published.password)).toBe(published.key)
  })

  test('geth’s capitalised field Crypto is read', async () => {
    const { crypto, ...rest } = published.pbkdf2
    expect(await readKeystore(JSON.stringify({ ...rest, Crypto: crypto }), published.password)).toBe(published.key)
  })
})

describe('our keystore files', () => {
  test('a written file opens with its password, including non-ASCII ones', async () => {
    const key = randomKey()
    const file = await writeKeystore(key, 'pässwörd ⚿', undefined, CHEAP_SCRYPT_N)
    expect(`0x${file.address}`).toBe(privateKeyToAddress(key).toLowerCase())
    expect(await readKeystore(JSON.stringify(file), 'pässwörd ⚿')).toBe(key)
  })

  test('a wrong password is reported as such', async () => {
    const file = await writeKeystore(randomKey(), 'right', undefined, CHEAP_SCRYPT_N)
    await expect(readKeystore(JSON.stringify(file), 'wrong')).rejects.toThrow('This password doesn’t open this file.')
  })

  test('the file doesn’t contain the key in plain text', async () => {
    const key = randomKey()
    expect(JSON.stringify(await writeKeystore(key, 'right', undefined, CHEAP_SCRYPT_N))).not.toContain(key.slice(2))
  })

  test('two files of one key share neither salt nor iv', async () => {
    const key = randomKey()
    const [one, two] = [
      await writeKeystore(key, 'right', undefined, CHEAP_SCRYPT_N),
      await writeKeystore(key, 'right', undefined, CHEAP_SCRYPT_N),
    ]
    expect(one.crypto.kdfparams.salt).not.toBe(two.crypto.kdfparams.salt)
    expect(one.crypto.cipherparams.iv).not.toBe(two.crypto.cipherparams.iv)
  })

  test('an address that belongs to another key is refused', async () => {
    const file = await writeKeystore(randomKey(), 'right', undefined, CHEAP_SCRYPT_N)
    await expect(readKeystore(JSON.stringify({ ...file, address: '00'.repeat(20) }), 'right')).rejects.toThrow(
      'damaged',
    )
  })

  test('the file’s name contains time and address', () => {
    expect(keystoreName('0x5FbDB2315678afecb367f032d93F642f64180aa3', new Date('2026-11-02T10:00:00.123Z'))).toBe(
      'UTC--2026-11-02T10-00-00.123Z--5fbdb2315678afecb367f032d93f642f64180aa3.json',
    )
  })
})

describe('invalid keystore files', () => {
  const withParams = (params: Record<string, unknown>) =>
    JSON.stringify({
      ...published.scrypt,
      crypto: { ...published.scrypt.crypto, kdfparams: { ...published.scrypt.crypto.kdfparams, ...params } },
    })

  test.each([
    ['plain text', 'hello', 'isn’t a keystore file'],
    ['null', 'null', 'keystore file'],
    ['another version', JSON.stringify({ ...published.scrypt, version: 1 }), 'version 3'],
    ['a scrypt factor that needs gigabytes', withParams({ n: 2 ** 24 }), 'don’t support'],
    ['a scrypt factor that isn’t a power of two', withParams({ n: 1000 }), 'don’t support'],
    ['a salt that isn’t hexadecimal', withParams({ salt: 'xyz' }), 'damaged'],
  ])('%s is refused', async (_, text, reason) => {
    await expect(readKeystore(text, 'any')).rejects.toThrow(reason)
  })
})
