import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expectLoaded } from './support/axe.ts'
import { commit, sliceOf } from '../support/slices.ts'
import { lookAround } from './support/look.ts'
import { makeNewcomer, signIn } from './support/newcomer.ts'
import { buyer, payout } from './support/selling.ts'
import { makeShop, type Shop } from './support/shop.ts'
import { expect, test } from './support/test.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** How each page of app/ is reached, in a shop that has something of everything. */
const DASHBOARD: Record<string, (shop: Shop) => string> = {
  dashboard: () => '/dashboard',
  'dashboard/api-keys': () => '/dashboard/api-keys',
  'dashboard/api-keys/new': () => '/dashboard/api-keys/new',
  'dashboard/audit': () => '/dashboard/audit',
  'dashboard/campaigns': () => '/dashboard/campaigns',
  'dashboard/campaigns/[campaignId]': ({ campaignId }) => `/dashboard/campaigns/${campaignId}`,
  'dashboard/campaigns/[campaignId]/templates/[type]': ({ campaignId }) =>
    `/dashboard/campaigns/${campaignId}/templates/redeem-nft`,
  'dashboard/campaigns/new': () => '/dashboard/campaigns/new',
  'dashboard/campaigns/templates/[type]': () => '/dashboard/campaigns/templates/claimed-nft',
  'dashboard/claims': () => '/dashboard/claims',
  'dashboard/claims/[claimId]': ({ claimId }) => `/dashboard/claims/${claimId}`,
  'dashboard/claims/new': ({ itemId }) => `/dashboard/claims/new?item_id=${itemId}`,
  'dashboard/collections': () => '/dashboard/collections',
  'dashboard/collections/[collectionId]': ({ collectionId }) => `/dashboard/collections/${collectionId}`,
  'dashboard/collections/[collectionId]/deploy': ({ undeployedId }) => `/dashboard/collections/${undeployedId}/deploy`,
  'dashboard/collections/[collectionId]/edit': ({ collectionId }) => `/dashboard/collections/${collectionId}/edit`,
  'dashboard/collections/connect': () => '/dashboard/collections/connect',
  'dashboard/collections/new': () => '/dashboard/collections/new',
  'dashboard/imports': () => '/dashboard/imports',
  'dashboard/imports/[importId]': ({ importId }) => `/dashboard/imports/${importId}`,
  'dashboard/imports/new': () => '/dashboard/imports/new',
  'dashboard/item-types': () => '/dashboard/item-types',
  'dashboard/item-types/[itemTypeId]': ({ itemTypeId }) => `/dashboard/item-types/${itemTypeId}`,
  'dashboard/item-types/new': () => '/dashboard/item-types/new',
  'dashboard/items': () => '/dashboard/items',
  'dashboard/items/[itemId]': ({ itemId }) => `/dashboard/items/${itemId}`,
  'dashboard/items/[itemId]/edit': ({ looseItemId }) => `/dashboard/items/${looseItemId}/edit`,
  'dashboard/items/new': ({ collectionId }) => `/dashboard/items/new?collection_id=${collectionId}`,
  'dashboard/listings': () => '/dashboard/listings',
  'dashboard/listings/[listingId]': ({ listingId }) => `/dashboard/listings/${listingId}`,
  'dashboard/listings/[listingId]/allow-list': ({ listingId }) => `/dashboard/listings/${listingId}/allow-list`,
  'dashboard/listings/[listingId]/edit': ({ listingId }) => `/dashboard/listings/${listingId}/edit`,
  'dashboard/listings/new': ({ collectionId }) => `/dashboard/listings/new?collection_id=${collectionId}`,
  'dashboard/media': () => '/dashboard/media',
  'dashboard/members': () => '/dashboard/members',
  'dashboard/mint-requests': () => '/dashboard/mint-requests',
  'dashboard/mint-requests/[mintRequestId]': ({ mintRequestId }) => `/dashboard/mint-requests/${mintRequestId}`,
  'dashboard/mint-requests/new': ({ itemId }) => `/dashboard/mint-requests/new?item_id=${itemId}`,
  'dashboard/payments': () => '/dashboard/payments',
  'dashboard/purchases': () => '/dashboard/purchases',
  'dashboard/purchases/[purchaseId]': ({ purchaseId }) => `/dashboard/purchases/${purchaseId}`,
  'dashboard/settings': () => '/dashboard/settings',
  'dashboard/perks/[perkId]': ({ perkId }) => `/dashboard/perks/${perkId}`,
  'dashboard/settings/email': () => '/dashboard/settings/email',
  'dashboard/settings/passkeys': () => '/dashboard/settings/passkeys',
  'dashboard/settings/sessions': () => '/dashboard/settings/sessions',
  'dashboard/snapshots': () => '/dashboard/snapshots',
  'dashboard/snapshots/new': () => '/dashboard/snapshots/new',
  'dashboard/transactions': () => '/dashboard/transactions',
  'dashboard/transactions/[transactionId]': ({ transactionId }) => `/dashboard/transactions/${transactionId}`,
  'sign-in/again': () => '/sign-in/again?return_to=/dashboard/settings',
  'dashboard/webhooks': () => '/dashboard/webhooks',
  'dashboard/webhooks/[webhookId]': ({ webhookId }) => `/dashboard/webhooks/${webhookId}`,
  'dashboard/webhooks/[webhookId]/edit': ({ webhookId }) => `/dashboard/webhooks/${webhookId}/edit`,
  'dashboard/webhooks/[webhookId]/rotate': ({ webhookId }) => `/dashboard/webhooks/${webhookId}/rotate`,
  'dashboard/webhooks/new': () => '/dashboard/webhooks/new',
}
const OPEN: Record<string, (shop: Shop) => string> = {
  '': () => '/',
  'c/[collectionId]': ({ collectionId }) => `/c/${collectionId}`,
  'i/[itemId]': ({ itemId }) => `/i/${itemId}`,
  'o/[address]': () => `/o/${payout}`,
  claims: () => '/claims',
  'claim/[claimToken]': ({ claimUrl }) => new URL(claimUrl).pathname,
  'dev/mail': () => '/dev/mail',
  docs: () => '/docs',
  'docs/[slug]': () => '/docs/card',
  'docs/errors': () => '/docs/errors',
  'docs/search': () => '/docs/search?q=signature',
  'h/[code]': () => `/h/${'A'.repeat(22)}`,
  'docs/try-embed': () => '/docs/try-embed',
  'l/[listingId]': ({ listingId }) => `/l/${listingId}`,
  'mails/[token]': ({ mailsUrl }) => mailsUrl,
  'p/[intentId]': ({ purchaseUrl }) => purchaseUrl,
  'sandbox/cards/authenticate/[paymentId]': ({ bankUrl }) => bankUrl,
  'sandbox/cards/onboarding/[accountId]': ({ onboardingUrl }) => onboardingUrl,
  'sign-in': () => '/sign-in',
  'sign-in/check': () => '/sign-in/check',
  'sign-in/confirm': () => '/sign-in/confirm?token=1&email=ada@example.com',
  wallet: () => '/wallet',
  // Places of one page: what an address owns, and one item of it.
  'wallet?address': () => `/wallet?address=${buyer}`,
  'wallet?item': ({ ownedItemId }) => `/wallet?address=${buyer}&item=${ownedItemId}`,
  // send.spec.ts looks at it with an open wallet.
  'wallet?send': ({ ownedItemId }) => `/wallet?address=${buyer}&item=${ownedItemId}&send=1`,
}

/**
 * Pages that this installation doesn't open to anybody: passkeys.spec.ts, first-day.spec.ts and sign-up.test.ts look at
 * them.
 */
const ELSEWHERE = ['sign-in/passkey', 'sign-in/setup', 'sign-in/organization']

test('every page there is, is looked at', () => {
  const pages = fs
    .readdirSync(path.join(root, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'page.tsx')
    .map((file) => path.dirname(file).replace(/^\.$/, ''))
    .filter((page) => !ELSEWHERE.includes(page))
  const visited = [...Object.keys(DASHBOARD), ...Object.keys(OPEN)].filter((page) => !page.includes('?'))
  expect(pages.sort()).toEqual(visited.sort())
})

/** One visit, four pictures. */
async function lookAt(page: Page, name: string, url: string): Promise<void> {
  const said: string[] = []
  const listen = (message: { type(): string; text(): string }) =>
    void (message.type() === 'error' && said.push(message.text()))
  const fail = (error: Error) => void said.push(error.message)
  page.on('console', listen).on('pageerror', fail)
  await page.goto(url)
  await expectLoaded(page)
  await lookAround(page, name || 'front')
  expect.soft(said, `${name} and the console`).toEqual([])
  page.off('console', listen).off('pageerror', fail)
}

/** Parts that the browsers of a run share. */
const PARTS = 6
/** `npm test` looks at a third of the pages, at others with each commit; `npm run screenshots` at all. */
const SLICES = 3
const isSelected = (part: number) =>
  process.env.SCREENSHOTS !== undefined || part % SLICES === sliceOf(commit(), SLICES)

let made: { email: string; shop: Shop } | undefined

/** The shop of this browser's tests, which only look at it, with its owner signed in. */
async function openShop(page: Page): Promise<Shop> {
  const email = made?.email ?? (await makeNewcomer()).email
  await signIn(page, email)
  made ??= { email, shop: await makeShop(page.request) }
  return made.shop
}

// Only the shop's owner sees the dashboard; all other pages are visited signed out.
test.describe.configure({ mode: 'parallel' })
for (const part of Array.from({ length: PARTS }, (_, at) => at + 1).filter(isSelected)) {
  const inPart = (pages: typeof OPEN) => Object.entries(pages).filter((_, at) => at % PARTS === part - 1)
  test(`every page, light and dark, on a phone and on a desk, has nothing too wide, cut off or broken (${part}/${PARTS})`, async ({
    page,
  }) => {
    test.setTimeout(600_000)
    const shop = await openShop(page)
    for (const [name, of] of inPart(DASHBOARD)) await test.step(name, () => lookAt(page, name, of(shop)))
    await page.context().clearCookies()
    for (const [name, of] of inPart(OPEN)) await test.step(name || 'front', () => lookAt(page, name, of(shop)))
  })
}
