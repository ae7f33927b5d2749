import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { publicly } from './support/gift.ts'
import { BY_CHAIN, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

type Item = { token_id: string; title: string }

test('a collection with delayed reveal is hidden in public, then revealed once, with a proof', async ({ page }) => {
  test.setTimeout(120_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  const name = `Night birds ${Date.now()}`

  await page.goto('/dashboard/collections/new')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('radio', { name: /When you reveal it/ }).check()
  await page.getByLabel('Description until then').fill('Open it in spring.')
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await expect(page.getByLabel('Title until then')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Title until then').fill('A closed box')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('Make items and lock them: then they can be revealed.')).toBeVisible()
  const collectionId = page.url().split('/').at(-1)!

  await asMember(page.request, 'POST', `/collections/${collectionId}/deployment-request`, {
    network_id: stack().chain_id,
    platform: { symbol: 'NIGHT', variant: 'ERC721' },
  })
  const titles = ['Tawny Owl', 'Barn Owl', 'Nightjar', 'Corncrake']
  await asMember(page.request, 'POST', '/items/bulk', {
    items: titles.map((title) => ({ collection_id: collectionId, attributes: { title, rarity: 'rare' } })),
  })
  await page.reload()
  await expect(page.getByText('4 items are not locked yet.')).toBeVisible()
  await asMember(page.request, 'POST', '/items/lock', { collection_id: collectionId })
  const contract = async () =>
    (await asMember<{ contract: string | null }>(page.request, 'GET', `/collections/${collectionId}`)).contract
  await expect.poll(contract, { ...BY_CHAIN, message: 'the collection is deployed' }).not.toBeNull()
  const publicTitles = async () =>
    (await publicly<{ results: Item[] }>(`/items?collection_ids=${collectionId}`)).results.map(({ title }) => title)
  expect(new Set(await publicTitles())).toEqual(new Set(['A closed box']))

  await page.reload()
  await expect(page.getByText('Hidden', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reveal', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Reveal it' })).toBeDisabled()
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Reveal it' }).click()
  await expect(page.getByText('Revealed', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reveal', exact: true })).toHaveCount(0)
  await expectAccessible(page)

  expect((await publicTitles()).sort()).toEqual(titles.toSorted())
  const proof = await publicly<{ state: string; seed: string; tokens: unknown[] }>(
    `/collections/${collectionId}/reveal`,
  )
  expect(proof).toMatchObject({ state: 'REVEALED', seed: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(proof.tokens).toHaveLength(4)
  const updateState = async () =>
    (
      await asMember<{ results: { tx_type: string; state: string }[] }>(
        page.request,
        'GET',
        `/transactions?collection_id=${collectionId}`,
      )
    ).results.find(({ tx_type }) => tx_type === 'UPDATE_METADATA')?.state
  await expect.poll(updateState, { ...BY_CHAIN, message: 'the contract emits the metadata update' }).toBe('COMPLETED')
})
