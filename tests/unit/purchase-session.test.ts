import { describe, expect, test } from 'vitest'
import { sessionSecondsOf } from '../../lib/selling/purchases/purchase-terms.ts'

const UNSET = { sessionSeconds: null, sessionOverride: null }
const SET = { sessionSeconds: 600, sessionOverride: { MINT_VOUCHER: 900, EMAIL_CLAIM: 900 } }

describe('units are held for a buyer who hasn’t paid', () => {
  test('half an hour unless the listing says otherwise', () => {
    for (const provider of ['CARD_PROVIDER', 'MINT_VOUCHER'] as const)
      expect(sessionSecondsOf(UNSET, provider)).toBe(1800)
  })

  test('as long as the listing says, for all ways to pay or for one', () => {
    expect([sessionSecondsOf(SET, 'CARD_PROVIDER'), sessionSecondsOf(SET, 'MINT_VOUCHER')]).toEqual([600, 900])
  })

  test('not at all where nothing is paid, whatever the listing says', () => {
    for (const provider of ['EMAIL_CLAIM', 'ORGANIZATION', 'BETA_FREE_MINT'] as const)
      expect([sessionSecondsOf(UNSET, provider), sessionSecondsOf(SET, provider)]).toEqual([0, 0])
  })
})
