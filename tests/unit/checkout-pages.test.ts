import fs from 'node:fs'
import path from 'node:path'
import { NextIntlClientProvider } from 'next-intl'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { Closed } from '../../components/checkout/closed.tsx'
import { ListingPage } from '../../components/checkout/listing-page.tsx'
import type { ListingView } from '../../components/checkout/listing.ts'
import { PlainOrder } from '../../components/checkout/plain-order.tsx'
import { PurchaseDetails } from '../../components/checkout/purchase-details.tsx'
import { PurchaseStep } from '../../components/checkout/purchase-step.tsx'
import type { PurchaseStepProps } from '../../components/checkout/purchase-step-props.ts'
import type { PurchaseView, Scene } from '../../components/checkout/purchase.ts'
import { type Locale, LOCALES } from '../../lib/core/locales.ts'
import { amountOf } from '../../lib/core/money.ts'
import type en from '../../messages/en.json'

vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams('lang=de&refused=sold_out') }))

const messagesOf = (locale: Locale): typeof en =>
  JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, `../../messages/${locale}.json`), 'utf8')) as typeof en

/** The markup of a part of a page, of which every text is there. */
function markupIn(locale: Locale, part: ReactElement): string {
  const messages = messagesOf(locale)
  const onError = (error: Error) => {
    throw error
  }
  return renderToStaticMarkup(
    createElement(NextIntlClientProvider, { locale, messages, timeZone: 'UTC', onError, children: part }),
  )
}

const delivery = {
  state: 'NOT_STARTED',
  tx_hash: null,
  network_id: 1,
  token_id: '7',
  explorer_url: null,
  failure: null,
}
const purchase = {
  id: '0198c2f0-0000-7000-8000-000000000000',
  listing_id: '0198c2f0-0000-7000-8000-000000000001',
  provider: 'CARD_PROVIDER',
  fulfillment_method: 'EMAIL',
  quantity: 2,
  refunded_quantity: 0,
  price: '1500',
  email_hint: 'a•••@e•••.com',
  eth_address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  failure: 'The network turned it down.',
  confirmed_at: null,
  created_at: '2026-11-20T12:00:00Z',
  expires_at: '2026-11-20T12:30:00Z',
  delivery,
  units: [
    { title: 'The Night Heron', token_id: '7', delivery },
    { title: 'Dipper', token_id: '8', delivery },
  ],
} as unknown as PurchaseView

const network = {
  id: 1,
  name: 'Anvil',
  testnet: true,
  currency: { name: '', symbol: '', decimals: 18 },
  explorerUrl: null,
}

const listing = {
  id: '0198c2f0-0000-7000-8000-000000000001',
  status: 'ACTIVE',
  reason: null,
  start_time: null,
  end_time: '2026-11-21T12:00:00Z',
  quantity_listed: 2000,
  quantity_remaining: 1500,
  max_quantity_per_tx: 5,
  price: '1500',
  currency: 'EUR',
  price_currency_decimals: 2,
  payment_providers: ['CARD_PROVIDER', 'MINT_VOUCHER', 'EMAIL_CLAIM', 'ORGANIZATION'],
} as unknown as ListingView
const shop = {
  subject: {
    kind: 'collection' as const,
    title: 'River birds',
    collection: 'River birds',
    description: 'Drawn by hand.',
    pictures: [],
  },
  subjectCase: null,
  seller: null,
  network,
  readAt: Date.parse('2026-11-20T12:00:00Z'),
}
const pageOf = (change: Partial<ListingView> = {}) =>
  createElement(ListingPage, { ...shop, initial: { ...listing, ...change } })

const SCENES = {
  pay_card: '15,00',
  pay_wallet: '15,00',
  confirming: '',
  mailbox: 'a•••@e•••.com',
  preparing: '',
  on_its_way: '',
  yours: 'The Night Heron',
  refunding: '',
  refunded: '',
  unresolved: '',
  closing: '',
  expired: '/l/0198c2f0-0000-7000-8000-000000000001?lang=de"',
  given_up: '',
  lapsed: '',
  failed: '',
  suspended: '',
  paid_suspended: '',
} satisfies Record<Scene, string>

const stepOf = (scene: Scene, change: Partial<PurchaseView> = {}) => {
  const props = {
    purchase: { ...purchase, ...change },
    title: 'The Night Heron',
    total: '15,00 €',
    now: 0,
    payment: { scene, hash: '0x12' },
  } as unknown as PurchaseStepProps
  return createElement(PurchaseStep, props)
}

describe.each(LOCALES)('in %s', (locale) => {
  test.each(Object.entries(SCENES) as [Scene, string][])('the step of %s has all its texts', (scene, said) => {
    expect(markupIn(locale, stepOf(scene))).toContain(said)
  })

  test('a reason that the API gives in English is shown in English only', () => {
    for (const scene of ['refunding', 'refunded', 'unresolved', 'failed', 'yours'] as const)
      expect(markupIn(locale, stepOf(scene)).includes('The network turned it down.')).toBe(locale === 'en')
  })

  test('details and closed pages have all their texts', () => {
    expect(
      markupIn(locale, createElement(PurchaseDetails, { purchase, network, total: '15,00 €', sentHash: null })),
    ).toContain('15,00 €')
    for (const reason of ['unknown_listing', 'sold_out', 'gone', 'paused', 'ended', 'suspended', 'cancelled'] as const)
      markupIn(locale, createElement(Closed, { reason }))
  })

  test('a listing has all its texts, open or not, with its price as the language writes it', () => {
    expect(markupIn(locale, pageOf())).toContain(amountOf('1500', 'EUR', 2, locale))
    const changes: Partial<ListingView>[] = [
      { status: 'PAUSED' },
      { status: 'CANCELLED' },
      { status: 'COMPLETE' },
      { suspended: true },
      { quantity_remaining: 0 },
      { start_time: '2026-11-20T13:00:00Z' },
      { price: '0', payment_providers: ['EMAIL_CLAIM'] },
      { payment_providers: ['MINT_VOUCHER'] },
    ]
    for (const change of changes) markupIn(locale, pageOf(change))
  })

  test('a refused order without script says why', () => {
    const saying = (refused: string) =>
      markupIn(
        locale,
        createElement(PlainOrder, {
          ...shop,
          listing: { ...listing, price: '0' },
          refused,
          idempotencyKey: 'key',
          order: () => () => Promise.resolve(),
        }),
      )
    const { checkout, errors } = messagesOf(locale)
    expect(saying('rate_limited')).toContain(checkout.plain.rate_limited)
    expect(saying('sold_out')).toContain(errors.sold_out)
    expect(saying('something_new')).toContain(checkout.plain.other)
  })
})
