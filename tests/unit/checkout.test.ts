import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { grouped, checkCard, slashed } from '../../components/checkout/card-number.ts'
import { lengthOf } from '../../components/checkout/countdown.tsx'
import { keptQueryOf } from '../../components/checkout/kept-query.ts'
import { offerOf, waysOf } from '../../components/checkout/listing.ts'
import type { ListingView } from '../../components/checkout/listing.ts'
import type { Locale } from '../../lib/core/locales.ts'
import { amountOf, decimalOf } from '../../lib/core/money.ts'
import type en from '../../messages/en.json'
import { reachedOf, stopsOf } from '../../components/checkout/purchase-progress.tsx'
import { missingPartOf, sceneOf } from '../../components/checkout/purchase.ts'
import type { PurchaseView } from '../../components/checkout/purchase.ts'
import { refusalOf } from '../../components/checkout/card-refusal.ts'
import { answerIn } from '../../components/checkout/sandbox-cards.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const later = '2026-11-20T12:30:00Z'
const before = '2026-11-20T11:30:00Z'

test.each([
  ['1999', 'USD', 2, '$19.99'],
  ['150000', 'EUR', 2, '€1,500.00'],
  ['5', 'GBP', 2, '£0.05'],
  ['1999', 'JPY', 0, '¥1,999'],
  ['50000000000000000', 'ETH', 18, '0.05 ETH'],
  ['1', 'ETH', 18, '0.000000000000000001 ETH'],
  ['3000000000000000000', 'ETH', 18, '3 ETH'],
  ['2500000', 'USDC', 6, '2.5 USDC'],
  ['100', 'PTS', 0, '100 PTS'],
])('%s %s with %i decimals is shown as %s', (minor, currency, decimals, written) => {
  expect(amountOf(minor, currency, decimals)).toBe(written)
})

test.each([
  ['de', '1500', 'EUR', 2, '15,00 €'],
  ['fr', '150000', 'EUR', 2, '1 500,00 €'],
  ['ja', '1999', 'JPY', 0, '￥1,999'],
  ['de', '50000000000000000', 'ETH', 18, '0,05 ETH'],
  ['pl', '1', 'ETH', 18, '0,000000000000000001 ETH'],
  ['ar', '2500000', 'USDC', 6, '2.5 USDC'],
] as const)('in %s %s %s with %i decimals is shown as %s', (locale, minor, currency, decimals, written) => {
  expect(amountOf(minor, currency, decimals, locale).replace(/\s/g, ' ')).toBe(written)
})

test('Arabic amounts have the digits of PINs and addresses', () => {
  expect(amountOf('150000', 'EUR', 2, 'ar')).toContain('1,500.00')
})

test('a decimal amount keeps every digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 36 }), (minor, decimals) => {
      const [whole = '', fraction = ''] = decimalOf(minor, decimals).split('.')
      expect(fraction).toHaveLength(decimals)
      expect(BigInt(whole + fraction)).toBe(minor)
    }),
  )
})

const listing = {
  status: 'ACTIVE',
  start_time: null,
  end_time: null,
  sold_out: false,
  quantity_remaining: 3,
  payment_providers: ['CARD_PROVIDER'],
} as unknown as ListingView

test.each<[string, Partial<ListingView>, ReturnType<typeof offerOf>]>([
  ['on sale', {}, 'open'],
  ['on sale until later', { end_time: later }, 'open'],
  ['not started', { status: 'SCHEDULED', start_time: later }, 'not_started'],
  ['past its start but not yet ACTIVE', { status: 'SCHEDULED', start_time: before }, 'open'],
  ['expired', { status: 'EXPIRED' }, 'ended'],
  ['past its end but not yet EXPIRED', { end_time: before }, 'ended'],
  ['paused', { status: 'PAUSED', start_time: later }, 'paused'],
  ['cancelled', { status: 'CANCELLED', sold_out: true }, 'cancelled'],
  ['complete', { status: 'COMPLETE', sold_out: true }, 'sold_out'],
  ['fully reserved', { sold_out: true, quantity_remaining: 0 }, 'sold_out'],
])('a listing that is $0 is $2', (_, change, offer) => {
  expect(offerOf({ ...listing, ...change }, now)).toBe(offer)
})

test('several providers that mint to an address are offered as one way, with the first provider', () => {
  const ways = waysOf({ payment_providers: ['EMAIL_CLAIM', 'BETA_FREE_MINT', 'ORGANIZATION'] })
  expect([...ways]).toEqual([
    ['email', 'EMAIL_CLAIM'],
    ['address', 'BETA_FREE_MINT'],
  ])
})

const nothing = {
  state: 'NOT_STARTED',
  tx_hash: null,
  network_id: 31337,
  token_id: null,
  explorer_url: null,
  failure: null,
} as const
const open = {
  provider: 'CARD_PROVIDER',
  status: 'PENDING',
  fulfillment_status: 'PENDING',
  fulfillment_method: 'EMAIL',
  expires_at: later,
  confirmed_at: null,
  delivery: nothing,
} as unknown as PurchaseView
const delivered = (state: PurchaseView['delivery']['state']): Partial<PurchaseView> => ({
  delivery: { ...nothing, state },
})

test.each<[string, Partial<PurchaseView>, ReturnType<typeof sceneOf>]>([
  ['awaits a card payment', {}, 'pay_card'],
  ['awaits a wallet payment', { provider: 'MINT_VOUCHER', fulfillment_method: 'VOUCHER' }, 'pay_wallet'],
  ['is past its expiry but still PENDING', { expires_at: before }, 'closing'],
  ['is free and in preparation', { provider: 'ORGANIZATION', fulfillment_method: 'TRANSFER' }, 'preparing'],
  ['is paid and awaits redemption by mail', { status: 'CONFIRMED', fulfillment_status: 'ASSIGNED' }, 'mailbox'],
  [
    'was redeemed from the mail',
    { status: 'CONFIRMED', fulfillment_status: 'ASSIGNED', ...delivered('QUEUED') },
    'preparing',
  ],
  ['is paid and delivers to an address', { status: 'CONFIRMED', fulfillment_method: 'TRANSFER' }, 'preparing'],
  [
    'has a submitted mint',
    { status: 'CONFIRMED', fulfillment_method: 'TRANSFER', ...delivered('SUBMITTED') },
    'on_its_way',
  ],
  ['is delivered', { status: 'CONFIRMED', fulfillment_status: 'COMPLETED', ...delivered('CONFIRMED') }, 'yours'],
  [
    'could not be minted',
    { status: 'CONFIRMED', fulfillment_status: 'EXCEPTION', ...delivered('FAILED') },
    'refunding',
  ],
  ['was refunded', { status: 'REFUNDED', fulfillment_status: 'EXCEPTION' }, 'refunded'],
  ['is unresolved', { status: 'UNRESOLVED' }, 'unresolved'],
  ['expired', { status: 'EXPIRED' }, 'expired'],
  ['was cancelled', { status: 'CANCELLED' }, 'given_up'],
  [
    'is free and failed to mint',
    { provider: 'ORGANIZATION', status: 'CONFIRMED', fulfillment_status: 'EXCEPTION' },
    'failed',
  ],
  [
    'is free and was cancelled after it was confirmed',
    { provider: 'ORGANIZATION', status: 'CANCELLED', confirmed_at: before },
    'failed',
  ],
  ['is free and expired unredeemed', { provider: 'EMAIL_CLAIM', status: 'EXPIRED', confirmed_at: before }, 'lapsed'],
])('a purchase that $0 has the scene $2', (_, change, scene) => {
  expect(sceneOf({ ...open, ...change }, now)).toBe(scene)
})

test('of a part that could not be delivered the page knows what becomes of its money', () => {
  const units = [{ delivery: { ...nothing, state: 'CONFIRMED' } }, { delivery: { ...nothing, state: 'FAILED' } }]
  const arrived: PurchaseView = {
    ...open,
    status: 'CONFIRMED',
    fulfillment_status: 'COMPLETED',
    quantity: 3,
    units: units as PurchaseView['units'],
  }
  expect(missingPartOf({ ...arrived, refunded_quantity: 0 })).toBeNull()
  expect(missingPartOf({ ...arrived, refunded_quantity: 1 })).toBe('refunded')
  expect(missingPartOf({ ...arrived, refunded_quantity: 0, failure: 'The network turned it down.' })).toBe('refunding')
})

test('each payment and fulfilment method has its own progress stops', () => {
  const of = (provider: PurchaseView['provider'], method: PurchaseView['fulfillment_method']) =>
    stopsOf({ provider, fulfillment_method: method })
  expect(of('CARD_PROVIDER', 'EMAIL')).toEqual(['paid', 'mailbox', 'onItsWay', 'yours'])
  expect(of('MINT_VOUCHER', 'VOUCHER')).toEqual(['paid', 'yours'])
  expect(of('ORGANIZATION', 'TRANSFER')).toEqual(['reserved', 'preparing', 'onItsWay', 'yours'])
  const stops = stopsOf({ provider: 'CARD_PROVIDER', fulfillment_method: 'EMAIL' })
  expect(
    (['confirming', 'mailbox', 'preparing', 'on_its_way', 'yours'] as const).map((scene) => reachedOf(stops, scene)),
  ).toEqual([0, 1, 2, 2, 3])
})

const good = { number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' }

test.each([
  ['12/34', { month: '12', year: '2034' }],
  ['1/30', { month: '1', year: '2030' }],
  ['0429', { month: '04', year: '2029' }],
  ['11/2026', { month: '11', year: '2026' }],
])('expiry %s is accepted', (expiry, { month, year }) => {
  expect(checkCard({ ...good, expiry }, now)).toEqual({
    ok: true,
    card: { number: '4242424242424242', month: String(Number(month)), year, cvc: '123' },
  })
})

test.each([
  [{ number: '' }, 'number', 'numberMissing'],
  [{ number: '4242 4242 4242 4241' }, 'number', 'numberWrong'],
  [{ expiry: '13/30' }, 'expiry', 'expiryWrong'],
  [{ expiry: '10/26' }, 'expiry', 'expired'],
  [{ cvc: '12' }, 'cvc', 'cvcWrong'],
] as const)('a card with %o is refused at %s', (change, field, fault) => {
  expect(checkCard({ ...good, ...change }, now)).toMatchObject({ ok: false, [field]: fault })
})

test('the card number is grouped by four, and the expiry gets its slash while typing', () => {
  expect(grouped('4242424242424242')).toBe('4242 4242 4242 4242')
  expect(grouped('4242-42')).toBe('4242 42')
  expect(slashed('12', '1')).toBe('12/')
  expect(slashed('12', '12/')).toBe('12')
  expect(slashed('1234', '')).toBe('12/34')
  expect(slashed('12/3', '12/')).toBe('12/3')
})

test('the provider’s answers become an outcome and a reason, or its own sentence', () => {
  expect(answerIn(200, { status: 'succeeded' })).toEqual({ outcome: 'paid' })
  const url = 'https://bank.example/'
  expect(
    answerIn(200, { status: 'requires_action', next_action: { type: 'redirect_to_url', redirect_to_url: { url } } }),
  ).toEqual({ outcome: 'bank', url })
  expect(
    answerIn(402, { error: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'No.' } }),
  ).toEqual({ outcome: 'declined', again: true, reason: 'noMoney', message: null })
  expect(answerIn(402, { error: { code: 'something_new', message: 'Something new.' } })).toEqual({
    outcome: 'declined',
    reason: 'other',
    message: 'Something new.',
    again: true,
  })
  const unexpectedState = (status: string) => ({
    error: {
      code: 'payment_intent_unexpected_state',
      message: `You cannot confirm this PaymentIntent because it has a status of ${status}.`,
    },
  })
  expect(answerIn(400, unexpectedState('succeeded'))).toEqual({ outcome: 'paid' })
  expect(answerIn(400, unexpectedState('canceled'))).toMatchObject({ reason: 'tooLate', again: false })
  expect(answerIn(502, null)).toMatchObject({ reason: 'other', message: null, again: true })
})

test('a declined card has the same words by Stripe.js as by the built-in provider', () => {
  const error = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' }
  expect(refusalOf(error)).toEqual({ outcome: 'declined', reason: 'declined', message: null, again: true })
  expect(answerIn(402, { error })).toEqual(refusalOf(error))
  expect(refusalOf({ payment_intent: { status: 'processing' } })).toEqual({ outcome: 'paid' })
})

function countdownIn(locale: Locale) {
  const file = path.resolve(import.meta.dirname, `../../messages/${locale}.json`)
  const messages = JSON.parse(fs.readFileSync(file, 'utf8')) as typeof en
  return createTranslator({ locale, messages, namespace: 'order.countdown' })
}

test.each([
  [5, '0:05'],
  [249, '4:09'],
  [3_600 * 3 + 300, '3 h 05 min'],
  [86_400 * 2 + 3_600 * 4, '2 d 04 h'],
])('%i seconds are shown as %s', (seconds, written) => {
  expect(lengthOf(seconds, countdownIn('en'))).toBe(written)
})

test('what remains is written in the language of the page', () => {
  expect(lengthOf(3_600 * 3 + 300, countdownIn('de'))).toBe('3 Std. 05 Min.')
})

test('the pages after one keep that it is embedded, and the language it asks for', () => {
  expect(keptQueryOf(new URLSearchParams('embed=1&refused=sold_out&lang=de'))).toBe('?embed=1&lang=de')
  expect(keptQueryOf(new URLSearchParams('redirect_status=failed'))).toBe('')
})
