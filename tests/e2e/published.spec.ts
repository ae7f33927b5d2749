import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from './support/axe.ts'
import { admin, collection, ownersOf, sendGift } from './support/gift.ts'
import { buyer, freeOffer, offer } from './support/selling.ts'
import { BY_CHAIN, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

/** What other sites and search engines read of a page. */
const headOf = (page: Page) =>
  page.evaluate(() => {
    const meta = (name: string) =>
      document.querySelector<HTMLMetaElement>(`meta[property="${name}"], meta[name="${name}"]`)?.content ?? null
    const data = document.querySelector('script[type="application/ld+json"]')?.textContent
    return {
      title: document.title,
      canonical: document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href ?? null,
      robots: meta('robots'),
      image: meta('og:image'),
      shownTitle: meta('og:title'),
      card: meta('twitter:card'),
      data: data ? (JSON.parse(data) as Record<string, unknown>) : null,
      all: document.documentElement.outerHTML,
    }
  })

async function expectPicture(url: string | null) {
  const response = await fetch(url!)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/png')
  const { width, height, format } = await sharp(await response.bytes()).metadata()
  expect([width, height, format]).toEqual([1200, 630, 'png'])
}

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('an item’s page tells what it is, how to buy it, who owns it and what happened to it', async ({ page }) => {
    const { id, itemId, title } = await freeOffer('BETA_FREE_MINT', { title: 'Wren <in> the “hedge”' })
    await page.goto(`/i/${itemId}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('Nobody yet')).toBeVisible()
    await expect(page.getByText('Teal and copper')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Get it' })).toHaveAttribute('href', `/l/${id}`)

    const response = await fetch(`${stack().public_base}/v1/purchase-intents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ listing_id: id, provider: 'BETA_FREE_MINT', buyer: { eth_address: buyer } }),
    })
    expect(response.status).toBe(201)
    await expect.poll(() => ownersOf(itemId), BY_CHAIN).toEqual([buyer])
    await page.reload()
    await expect(page.getByRole('row', { name: /^Made/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Get it' })).toHaveCount(0)
    await page.getByRole('definition').getByRole('link', { name: buyer }).click()
    await expect(page.getByRole('heading', { name: 'Items of one address' })).toBeVisible()
    await page.getByRole('link', { name: title }).click()
    await expect(page).toHaveURL(new RegExp(`/i/${itemId}$`))
    await page
      .getByRole('main')
      .getByRole('link', { name: /River birds/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: /River birds/ })).toBeVisible()
  })
})

test('public pages name themselves to other sites, with a picture of their own', async ({ page }) => {
  const { id: collectionId } = await collection()
  const { itemId, title } = await offer({ title: 'Wren </script><b>' })
  await page.goto(`/i/${itemId}`)
  await expectAccessible(page)
  const item = await headOf(page)
  expect(item).toMatchObject({
    canonical: `${stack().origin}/i/${itemId}`,
    robots: null,
    shownTitle: title,
    card: 'summary_large_image',
    data: { '@type': 'VisualArtwork', name: title },
  })
  await expectPicture(item.image)
  await expect(page.getByText('€15.00')).toBeVisible()

  await page.goto(`/c/${collectionId}`)
  await expectAccessible(page)
  const head = await headOf(page)
  expect(head).toMatchObject({ canonical: `${stack().origin}/c/${collectionId}`, data: { '@type': 'Collection' } })
  await expectPicture(head.image)

  await page.goto(`/o/${buyer}`)
  await expectAccessible(page)
  expect(await headOf(page)).toMatchObject({ robots: 'noindex', canonical: `${stack().origin}/o/${buyer}` })

  const sitemap = await (await fetch(`${stack().origin}/sitemap.xml`)).text()
  expect(sitemap).toContain(`<loc>${stack().origin}/sitemaps/${collectionId}.xml</loc>`)
  const items = await (await fetch(`${stack().origin}/sitemaps/${collectionId}.xml`)).text()
  expect(items).toContain(`<loc>${stack().origin}/i/${itemId}</loc>`)
  expect(await (await fetch(`${stack().origin}/robots.txt`)).text()).toContain(`${stack().origin}/sitemap.xml`)
})

test('what isn’t public has no page, no picture and no place in a sitemap, from one moment to the next', async ({
  page,
}) => {
  const { id: collectionId } = await admin<{ id: string }>('POST', '/collections', {
    name: `Secret birds ${Date.now()}`,
    deployment_request: { network_id: stack().chain_id, platform: { symbol: 'SEC', variant: 'ERC721' } },
  })
  const { id: itemId } = await admin<{ id: string }>('POST', '/items', {
    collection_id: collectionId,
    attributes: { title: 'Shy owl' },
  })
  const statuses = async () => {
    const paths = [
      `/c/${collectionId}`,
      `/i/${itemId}`,
      `/media/preview/c-${collectionId}.png`,
      `/media/preview/i-${itemId}.png`,
      `/sitemaps/${collectionId}.xml`,
    ]
    return Promise.all(paths.map(async (path) => (await fetch(stack().origin + path)).status))
  }
  expect(await statuses()).toEqual([404, 404, 404, 404, 404])
  await admin('POST', '/items/lock', { item_id: itemId })
  await expect.poll(statuses, BY_CHAIN).toEqual([200, 200, 200, 200, 200])
  await admin('PATCH', `/collections/${collectionId}`, { is_public: false })
  expect(await statuses()).toEqual([404, 404, 404, 404, 404])
  expect((await fetch(`${stack().origin}/c/${collectionId}?cursor=x`)).status).toBe(404)
  expect((await fetch(`${stack().origin}/o/${buyer}?cursor=x`)).status).toBe(404)
  expect((await fetch(`${stack().origin}/o/not-an-address`)).status).toBe(404)
  await page.goto(`/i/${itemId}`)
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible()
})

test('a claim’s link previews who gives, and neither the item nor the recipient, and uses nothing up', async ({
  page,
}) => {
  const { url, email, title, claimId } = await sendGift({ title: 'The Grey Wagtail' })
  // Its mail leaves meanwhile.
  const state = async () => {
    const { mails: _, ...claim } = await admin<Record<string, unknown>>('GET', `/email-claims/${claimId}`)
    return claim
  }
  const before = await state()
  const bot = await fetch(url, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } })
  expect(bot.status).toBe(200)
  expect(await state()).toEqual(before)

  await page.goto(url)
  const head = await headOf(page)
  const { name } = await admin<{ name: string }>('GET', `/organizations/${stack().organization_id}`)
  expect(head).toMatchObject({
    robots: 'noindex, nofollow',
    shownTitle: `A gift for you from ${name}`,
    canonical: null,
  })
  const meta = [...head.all.matchAll(/<meta[^>]*>/g)].join('\n')
  expect(meta).not.toContain(title)
  expect(meta).not.toContain(email)
  expect(meta).not.toContain(new URL(url).pathname)
  await expectPicture(head.image)
})

test('an item that isn’t revealed shows what it shows until then, in its preview as well', async () => {
  const { id: collectionId } = await admin<{ id: string }>('POST', '/collections', {
    name: `Boxes ${Date.now()}`,
    reveal_strategy: 'DELAYED',
    preview_metadata: { title: 'A closed box' },
    deployment_request: { network_id: stack().chain_id, platform: { symbol: 'BOX', variant: 'ERC721' } },
  })
  const addItem = async (title: string) => {
    const item = { collection_id: collectionId, attributes: { title } }
    const { id } = await admin<{ id: string }>('POST', '/items', item)
    await admin('POST', '/items/lock', { item_id: id })
    return id
  }
  const [itemId, otherId] = [await addItem('Golden eagle'), await addItem('Sea eagle')]
  const status = async () => (await fetch(`${stack().origin}/i/${itemId}`)).status
  await expect.poll(status, BY_CHAIN).toBe(200)
  const page = await (await fetch(`${stack().origin}/i/${itemId}`)).text()
  expect(page).toContain('A closed box')
  expect(page).not.toContain('Golden eagle')
  expect(page).toContain('Not revealed yet')
  const pictureOf = (id: string) => `${stack().origin}/media/preview/i-${id}.png`
  await expectPicture(pictureOf(itemId))
  // The picture is that of any other item that isn't revealed.
  const [one, other] = await Promise.all([itemId, otherId].map(async (id) => (await fetch(pictureOf(id))).bytes()))
  expect(Buffer.compare(one!, other!)).toBe(0)
})

test('phones take the wallet for an app of their own', async ({ page }) => {
  await page.goto('/wallet')
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const manifest = (await (await fetch(new URL(href!, stack().origin))).json()) as {
    icons: { src: string; sizes: string }[]
  }
  for (const { src, sizes } of manifest.icons) {
    const response = await fetch(new URL(src, stack().origin))
    expect(response.status).toBe(200)
    if (sizes !== 'any') expect((await sharp(await response.bytes()).metadata()).width).toBe(Number.parseInt(sizes))
  }
})
