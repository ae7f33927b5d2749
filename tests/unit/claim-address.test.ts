import { expect, test } from 'vitest'
import { judgeAddress } from '../../components/claim/address.ts'

const right = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('a checksummed address is taken, spaces around it don’t matter', () => {
  expect(judgeAddress(`  ${right}\n`)).toEqual({ ok: true, address: right, unchecked: false })
})

test.each([right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`])(
  '%s is taken, and said to carry no checksum',
  (written) => {
    expect(judgeAddress(written)).toEqual({ ok: true, address: right, unchecked: true })
  },
)

test.each([
  ['nothing', '', 'Paste'],
  ['a name', 'ada.eth', 'Names'],
  ['no 0x', right.slice(2), 'starts with 0x'],
  ['one mistyped capital', right.replace('C8', 'c8'), 'is wrong'],
  ['one wrong character', right.replace('C8', 'C9'), 'is wrong'],
  ['a character too few', right.slice(0, -1), 'this one has 39'],
  ['a character too many', `${right}0`, 'this one has 41'],
  ['a letter beyond f', right.replace('C8', 'Cg'), 'only the digits'],
  ['the zero address', `0x${'0'.repeat(40)}`, 'Nobody owns'],
])('%s is refused with the reason', (_, written, reason) => {
  expect(judgeAddress(written)).toEqual({ ok: false, reason: expect.stringContaining(reason) })
})
