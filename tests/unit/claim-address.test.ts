import { expect, test } from 'vitest'
import { checkTypedAddress, checkTypedName, isName, namesNetwork } from '../../components/wallet/typed-address.ts'

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
  [`eth:${checksummed}`, 1],
  [`eth:${checksummed}`, null],
  [`ethereum:${checksummed}`, 137],
  [`ETHEREUM:${checksummed}@137`, 137],
  [`${checksummed}@137`, 137],
  [`${checksummed}@0x89`, 137],
  [`${checksummed}@eip155:137`, 137],
])('%s is taken for an item of network %s', (written, network) => {
  expect(checkTypedAddress(written, network)).toEqual({ ok: true, address: checksummed, unchecked: false })
})

test.each([
  [`${checksummed}@1`, 137],
  [`${checksummed}@1`, null],
  [`${checksummed}@`, 137],
  [`${checksummed}@optimism`, 10],
  [`eth:${checksummed}@1`, 137],
  [`matic:${checksummed}`, 137],
  [`bitcoin:${checksummed}`, 1],
])('%s is refused for an item of network %s, since it names another one', (written, network) => {
  expect(checkTypedAddress(written, network)).toMatchObject({ ok: false, fault: 'otherNetwork' })
})

test('an address with a network behind it is no mailbox, and a mailbox named like an address is one', () => {
  expect([`${checksummed}@137`, `eth:${checksummed}@base`].map(namesNetwork)).toEqual([true, true])
  expect([`${checksummed}@mail.example`, 'ada@example.com', checksummed].map(namesNetwork)).toEqual([
    false,
    false,
    false,
  ])
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
