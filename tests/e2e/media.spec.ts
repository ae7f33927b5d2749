import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { pngOf } from './support/png.ts'
import { expect, test } from './support/test.ts'

/** Drops a file on an element, or pastes it there. */
const transferFile = (target: Locator, by: 'drop' | 'paste', bytes: Buffer, name: string) =>
  target.evaluate(
    (element, [kind, base64, fileName]) => {
      const transfer = new DataTransfer()
      transfer.items.add(
        new File([Uint8Array.from(atob(base64!), (letter) => letter.charCodeAt(0))], fileName!, { type: 'image/png' }),
      )
      element.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer })
          : new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer }),
      )
    },
    [by, bytes.toString('base64'), name],
  )

const isDrawn = (image: Locator) =>
  expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0))
    .toBe(true)

const fits = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await expectAccessible(page)
}

test('pictures are uploaded, refused with a reason, searched, and used in an item and a collection', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/media')
  await expect(page.getByRole('heading', { name: 'No pictures yet' })).toBeVisible()
  await expectAccessible(page)

  // Three files at once; one of them is not an image.
  await page.locator('input[type=file]').setInputFiles([
    { name: 'Night heron.png', mimeType: 'image/png', buffer: await pngOf('#31506b') },
    { name: 'wren.png', mimeType: 'image/png', buffer: await pngOf('#a1714b', 400, 400) },
    { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') },
  ])
  await expect(page.getByText('2 uploaded. 1 not taken.')).toBeVisible()
  await expect(page.getByText('This is not an image of an accepted kind')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Night heron.png' })).toBeVisible()
  await isDrawn(page.getByRole('img', { name: 'Open wren.png' }))
  await expectAccessible(page)
  // A small picture is enlarged with hard edges, others aren't. What would lose its movement says so before it is
  // stored.
  const dots = sharp(Buffer.from([255, 0, 0, 0, 0, 255]), { raw: { width: 2, height: 1, channels: 3 } })
  const moving =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><rect width="9" height="9"><animate attributeName="x" to="90" dur="1s"/></rect></svg>'
  await page.locator('input[type=file]').setInputFiles([
    { name: 'dots.png', mimeType: 'image/png', buffer: await dots.png().toBuffer() },
    { name: 'moving.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(moving) },
  ])
  const edgesOf = (name: string) =>
    page.getByRole('img', { name: `Open ${name}` }).evaluate((image) => getComputedStyle(image).imageRendering)
  await isDrawn(page.getByRole('img', { name: 'Open dots.png' }))
  expect([await edgesOf('dots.png'), await edgesOf('wren.png')]).toEqual(['pixelated', 'auto'])
  await expect(page.getByText('This picture moves, and would be stored as a still one.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'moving.svg' })).toBeHidden()
  await page.getByRole('button', { name: 'Upload a still picture of it' }).click()
  await expect(page.getByRole('heading', { name: 'moving.svg' })).toBeVisible()
  await page.getByLabel('Name or CID').fill('heron')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Night heron.png'])

  // In an item's form a picture is dropped or pasted and previewed at once.
  const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
    name: `River birds ${Date.now()}`,
  })
  await page.goto(`/dashboard/items/new?collection_id=${collectionId}`)
  await page.getByRole('textbox', { name: 'Title' }).fill('The Kingfisher')
  const address = page.getByLabel(/^Picture/)
  const kept = page.locator('input[type=hidden][name="attributes.image_url:null"]')
  await transferFile(address, 'drop', Buffer.from('nothing'), 'broken.png')
  await expect(page.getByText('This is not an image of an accepted kind')).toBeVisible()
  await transferFile(address, 'drop', await pngOf('#1d7a5f'), 'kingfisher.png')
  await expect(kept).toHaveValue(/^\/media\/baf\w+-png-original\.png$/)
  await isDrawn(page.getByRole('img', { name: 'Uploaded picture' }))
  await expect(address).toBeHidden()
  await isDrawn(page.getByRole('complementary', { name: 'Preview' }).getByRole('img', { name: 'The Kingfisher' }))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(address).toHaveValue('')
  await transferFile(address, 'paste', await pngOf('#7a3fd1'), 'pasted.png')
  await expect(kept).toHaveValue(/^\/media\/baf/)
  await page.getByRole('button', { name: 'Create the item' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'The Kingfisher' })).toBeVisible()
  await isDrawn(page.getByRole('img', { name: 'The Kingfisher' }).first())

  // A collection's header is uploaded by keyboard.
  await page.goto(`/dashboard/collections/${collectionId}/edit`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload a file' }).nth(1).focus()
  await page.keyboard.press('Enter')
  const file = test.info().outputPath('header.png')
  await writeFile(file, await pngOf('#446688', 1200, 300))
  await (await chooser).setFiles(file)
  await expect(page.locator('input[type=hidden][name="media.header_image_url:null"]')).toHaveValue(/^\/media\/baf/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /River birds/ })).toBeVisible()
  const collection = await asMember<{ media: { header_image_url: string } }>(
    page.request,
    'GET',
    `/collections/${collectionId}`,
  )
  expect((await page.request.get(collection.media.header_image_url)).headers()['content-type']).toBe('image/png')
})

test.describe('on a narrow phone', () => {
  test.use({ colorScheme: 'light', viewport: { width: 320, height: 700 } })

  test('the media pages fit a narrow phone', async ({ page }) => {
    test.setTimeout(120_000)
    const { email } = await makeNewcomer()
    await signIn(page, email)
    await page.goto('/dashboard/media')
    await fits(page)
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: `${'w'.repeat(120)}.png`, mimeType: 'image/png', buffer: await pngOf('#335577') }])
    await expect(page.getByRole('heading', { name: /^w+\.png$/ })).toBeVisible()
    await fits(page)
    await page.goto('/dashboard/collections/new')
    await fits(page)
  })
})
