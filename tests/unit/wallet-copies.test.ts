import { hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { openCopy, sealCopy } from '../../components/wallet/copies.ts'
import { deriveCopySecrets, deriveKey, randomKey } from '../../components/wallet/derive.ts'

const secret = Uint8Array.from({ length: 32 }, (_, at) => at)
const another = Uint8Array.from({ length: 32 }, (_, at) => at + 1)

test('what finds and opens a copy never changes, and differs from the wallet’s key', async () => {
  const { id } = await deriveCopySecrets(secret)
  expect(id).toBe(
    Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), 'vitrine/copy-id/v1', 32)).toString('base64url'),
  )
  expect(id).toBe('5BKfPezbkl6cIHvO8YC7Ts81hVvzNKAjMmicSpCurc8')
  const key = await deriveKey(secret)
  for (const name of ['copy-id', 'copy-key'])
    expect(
      Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), `vitrine/${name}/v1`, 32)).toString('hex'),
    ).not.toBe(key.slice(2))
})

test('only the passkey that sealed a copy opens it, and only unaltered', async () => {
  const [own, other] = [await deriveCopySecrets(secret), await deriveCopySecrets(another)]
  const key = randomKey()
  const copy = await sealCopy(own, key)
  expect(copy).toMatch(/^[\w-]{80}$/)
  expect(await openCopy(own, copy)).toBe(key)
  expect(await sealCopy(own, key)).not.toBe(copy)
  await expect(openCopy(other, copy)).rejects.toThrow()
  await expect(
    openCopy(
      own,
      copy.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    ),
  ).rejects.toThrow()
  await expect(openCopy(own, copy.slice(0, -4))).rejects.toThrow()
})

test('what was sealed earlier still opens', async () => {
  const sealed = 'BwcHBwcHBwcHBwcHMkHRnluICOENzyF0QJCaiQwZ2MCLr5RQsy-QhnpaXrcIXzLyhaaFSf9BpKvwN3WE'
  expect(await openCopy(await deriveCopySecrets(secret), sealed)).toBe(`0x${'11'.repeat(32)}`)
})
