import { expect, test } from 'vitest'
import type { ClaimView } from '../../components/claim/claim.ts'
import { isOver, sceneOf } from '../../components/claim/claim.ts'
import { makeEntry } from '../support/voucher-terms.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const nothing = {
  state: 'NOT_STARTED',
  tx_hash: null,
  network_id: 31337,
  token_id: '1',
  explorer_url: null,
  failure: null,
} as const
const open: ClaimView = {
  campaign_id: null,
  is_active: true,
  is_claimed: false,
  is_declined: false,
  inactive_reason: null,
  item: null,
  public_item: null,
  organization_id: '01990000-0000-7000-8000-000000000000',
  quantity: 1,
  voucher: null,
  email_hint: 'a•••@e•••.org',
  expires_at: null,
  tx_payer: 'SELLER',
  locale: null,
  delivery: nothing,
}
const voucherUntil = (expiry: number) => makeEntry({ voucher: { expiry } })
const delivered = (state: ClaimView['delivery']['state']) => ({ ...nothing, state })
const claimed = { ...open, is_active: false, is_claimed: true, inactive_reason: 'CLAIMED' } as const

test.each<[string, ClaimView, string]>([
  ['a new claim', open, 'open'],
  ['redeemed, mint queued', { ...claimed, delivery: delivered('QUEUED') }, 'confirming'],
  ['redeemed, mint not started', claimed, 'confirming'],
  ['mint submitted', { ...claimed, delivery: delivered('SUBMITTED') }, 'on_its_way'],
  ['mint confirmed', { ...claimed, delivery: delivered('CONFIRMED') }, 'yours'],
  ['mint failed, claim open again', { ...open, delivery: delivered('FAILED') }, 'open'],
  ['a pending voucher', { ...open, tx_payer: 'BUYER', voucher: voucherUntil(now / 1000 + 60) }, 'voucher'],
  ['an expired voucher', { ...open, tx_payer: 'BUYER', voucher: voucherUntil(now / 1000 - 1) }, 'open'],
  [
    'a pending voucher of an expired claim',
    { ...open, inactive_reason: 'EXPIRED', voucher: voucherUntil(now / 1000 + 60) },
    'voucher',
  ],
  ['expired', { ...open, is_active: false, inactive_reason: 'EXPIRED' }, 'expired'],
  ['locked', { ...open, is_active: false, inactive_reason: 'LOCKED' }, 'locked'],
  [
    'revoked with a pending voucher',
    { ...open, is_active: false, inactive_reason: 'REVOKED', voucher: voucherUntil(now / 1000 + 60) },
    'revoked',
  ],
  ['replaced', { ...open, is_active: false, inactive_reason: 'REPLACED' }, 'replaced'],
])('$0 has the scene $2', (_, claim, scene) => {
  expect(sceneOf(claim, now)).toBe(scene)
})

test('a page goes on watching a claim until its link can show nothing else', () => {
  expect(
    (['open', 'confirming', 'on_its_way', 'voucher', 'expired', 'locked', 'suspended'] as const).some(isOver),
  ).toBe(false)
  expect((['yours', 'revoked', 'declined', 'replaced'] as const).every(isOver)).toBe(true)
})
