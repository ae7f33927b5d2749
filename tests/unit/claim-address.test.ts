import { expect, test } from 'vitest'
import { checkTypedAddress, checkTypedName, isName } from '../../components/wallet/typed-address.ts'

const checksummed = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('a checksummed address is accepted, without the spaces around it', () => {
  expect(checkTypedAddress(`  ${checksummed}\n`)).toEqual({ ok: true, address: checksummed, unchecked: false })
})

test.each([checksummed.toLowerCase(), `0x${checksummed.slice(2).toUpperCase()}`])(
  '%s is accepted and marked as unchecked',
  (written) => {
    expect(checkTypedAddress(written)).toEqual({ ok: true, address: checksummed, unchecked: true })
  },
)

test.each([
  ['an empty field', '', { fault: 'missing' }],
  ['a name', 'ada.eth', { fault: 'name' }],
  ['an address without 0x', checksummed.slice(2), { fault: 'noPrefix' }],
  ['one mistyped capital', checksummed.replace('C8', 'c8'), { fault: 'checksum' }],
  ['one wrong character', checksummed.replace('C8', 'C9'), { fault: 'checksum' }],
  ['one character too few', checksummed.slice(0, -1), { fault: 'length', digits: 39 }],
  ['one character too many', `${checksummed}0`, { fault: 'length', digits: 41 }],
  ['a letter after f', checksummed.replace('C8', 'Cg'), { fault: 'notHex' }],
  ['the zero address', `0x${'0'.repeat(40)}`, { fault: 'nobody' }],
])('%s is refused with a reason', (_, written, reason) => {
  expect(checkTypedAddress(written)).toMatchObject({ ok: false, ...reason })
})

test.each([
  ['alice.eth', true],
  [' Alice.ETH ', true],
  ['a.b.example', true],
  ['vitrine.xn--p1ai', true],
  [checksummed, false],
  ['alice', false],
  ['alice.', false],
  ['.eth', false],
  ['al ice.eth', false],
  ['https://alice.eth', false],
  ['127.0.0.1', false],
])('%s is a name: %s', (written, is) => expect(isName(written)).toBe(is))

test('a name can be used once its own address was found, and not with that of another one', () => {
  const found = { name: 'alice.eth', address: checksummed } as const
  expect(checkTypedName('alice.eth', null)).toEqual({ ok: false, fault: null, problem: null })
  expect(checkTypedName('alice.eth', found)).toEqual({ ok: true, address: checksummed, unchecked: false })
  expect(checkTypedName('alicee.eth', found)).toEqual({ ok: false, fault: null, problem: null })
  const problem = 'No address was found.'
  expect(checkTypedName('alice.eth', { name: 'alice.eth', problem })).toEqual({ ok: false, fault: null, problem })
})
