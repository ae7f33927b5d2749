import { expect, test } from 'vitest'
import { readTokens } from '../../lib/offers/networks/payment-tokens.ts'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

test('PAYMENT_TOKENS separates networks by semicolons and tokens by commas', () => {
  expect(readTokens('')).toEqual([])
  expect(readTokens(`1=${USDC.toLowerCase()}:USDC:6:USD Coin, ${USDC}:EURC:6;137=${USDC}:USDC:6:a: b`)).toEqual([
    { network_id: 1, address: USDC, symbol: 'USDC', decimals: 6, name: 'USD Coin' },
    { network_id: 1, address: USDC, symbol: 'EURC', decimals: 6, name: 'EURC' },
    { network_id: 137, address: USDC, symbol: 'USDC', decimals: 6, name: 'a: b' },
  ])
})

test.each(['x', '1=', `1=${USDC}`, `1=${USDC}:USDC:x`, '1=0x12:USDC:6', `=${USDC}:USDC:6`])(
  '%s is refused with the name of the setting',
  (setting) => {
    expect(() => readTokens(setting)).toThrow(/^PAYMENT_TOKENS: /)
  },
)
