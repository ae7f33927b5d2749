import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { expect, test } from './support/test.ts'

test('an item type is built in the form and as JSON, makes the fields of an item’s form, and is fixed once used', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/item-types')
  await expect(page.getByRole('heading', { name: 'No item types yet' })).toBeVisible()
  await expectAccessible(page)

  // Attributes are added one by one.
  await page.getByRole('link', { name: 'New item type' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Flower')
  const add = page.getByRole('button', { name: 'Add an attribute' })
  await add.click()
  await page.getByLabel('Name of attribute 1').fill('petals')
  await page.getByLabel('Kind of attribute 1').selectOption('integer')
  await page.getByLabel('Label of attribute 1').fill('Number of petals')
  await page.getByLabel('Least value of attribute 1').fill('3')
  await page.getByLabel('petals is required').check()
  await add.click()
  await page.getByLabel('Name of attribute 2').fill('colour')
  await page.getByLabel('Kind of attribute 2').selectOption('choice')
  await page.getByLabel('Choices of attribute 2').fill('white\nviolet')
  await add.click()
  await page.getByLabel('Name of attribute 3').fill('scents')
  await page.getByLabel('Kind of attribute 3').selectOption('texts')
  await page.getByLabel(/other attributes, too/).uncheck()
  await expectAccessible(page)

  // The same schema as JSON, where errors are named and more keywords are possible.
  await page.getByRole('button', { name: 'As JSON Schema' }).click()
  const json = page.getByLabel('JSON Schema')
  const schema = JSON.parse(await json.inputValue()) as { properties: Record<string, object> }
  expect(schema).toMatchObject({
    required: ['petals'],
    additionalProperties: false,
    properties: {
      petals: { type: 'integer', title: 'Number of petals', minimum: 3 },
      colour: { enum: ['white', 'violet'] },
    },
  })
  await json.fill('{"type":')
  await expect(page.getByText('This isn’t a JSON object yet.')).toBeVisible()
  await json.fill(
    JSON.stringify({ ...schema, properties: { ...schema.properties, petals: { type: 'integer', minimum: 'three' } } }),
  )
  await page.getByRole('button', { name: 'Create the item type' }).click()
  await expect(page.getByText('schema.properties.petals.minimum').first()).toBeVisible()
  await expectAccessible(page)
  await json.fill(
    JSON.stringify({
      ...schema,
      properties: {
        ...schema.properties,
        origin: { type: 'object', required: ['country'], properties: { country: { type: 'string' } } },
      },
    }),
  )
  await page.getByRole('button', { name: 'One by one' }).click()
  await expect(page.getByRole('group', { name: 'origin' })).toContainText('Written as JSON')
  await page.getByRole('button', { name: 'Create the item type' }).click()
  await page.getByRole('link', { name: 'Flower' }).click()
  await expect(page.getByRole('button', { name: 'Delete' })).toBeVisible()

  // The item's form has a field for each attribute and shows errors beside them.
  const { results } = await asMember<{ results: { id: string }[] }>(page.request, 'GET', '/item-types')
  const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
    name: `Night garden ${Date.now()}`,
    default_item_type_id: results[0]!.id,
  })
  await page.goto(`/dashboard/items/new?collection_id=${collectionId}`)
  await page.getByRole('textbox', { name: 'Title' }).fill('Moonflower')
  await page.getByLabel('Number of petals').fill('2')
  await page.getByLabel(/^colour/).selectOption('violet')
  await page.getByLabel(/^scents/).fill('night jasmine\nrain')
  await page.getByLabel(/^origin/).fill('{"country": ')
  await expect(page.getByRole('button', { name: 'Add an attribute' })).toHaveCount(0) // The type allows no others.
  await page.getByRole('button', { name: 'Create the item' }).click()
  await expect(page.getByLabel('Number of petals')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel(/^origin/)).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel(/^scents/)).toHaveValue('night jasmine\nrain')
  await expectAccessible(page)
  await page.getByLabel('Number of petals').fill('5')
  await page.getByLabel(/^origin/).fill('{"country": "PT"}')
  await page.getByRole('button', { name: 'Create the item' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Moonflower' })).toBeVisible()
  const made = await asMember<{ results: { id: string; attributes: object }[] }>(
    page.request,
    'GET',
    `/items?collection_id=${collectionId}`,
  )
  expect(made.results[0]!.attributes).toEqual({
    title: 'Moonflower',
    petals: 5,
    colour: 'violet',
    scents: ['night jasmine', 'rain'],
    origin: { country: 'PT' },
  })

  // An emptied attribute is removed by saving.
  await page.goto(`/dashboard/items/${made.results[0]!.id}/edit`)
  await expect(page.getByLabel('Number of petals')).toHaveValue('5')
  await page.getByLabel(/^colour/).selectOption('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Moonflower' })).toBeVisible()
  expect(
    (await asMember<{ attributes: object }>(page.request, 'GET', `/items/${made.results[0]!.id}`)).attributes,
  ).not.toHaveProperty('colour')

  // A used type cannot change its schema; a copy can be made.
  await page.goto(`/dashboard/item-types/${results[0]!.id}`)
  await expect(page.getByText('Used by 1 item and 1 collection: its attributes are fixed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByLabel('Name').fill('Night flower')
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Night flower' })).toBeVisible()
  await page.getByRole('link', { name: 'Duplicate it' }).click()
  // The page before it has a field of that name, too.
  await expect(page.getByRole('heading', { level: 1, name: 'New item type' })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Day flower')
  await page.getByRole('button', { name: 'Create the item type' }).click()
  await page.getByRole('link', { name: 'Day flower' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await expect(page.getByRole('rowheader')).toHaveText(['Night flower'])
})

test.describe('on a narrow phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 320, height: 700 } })

  test('the item type pages fit a narrow phone', async ({ page }) => {
    test.setTimeout(120_000)
    const { email } = await makeNewcomer()
    await signIn(page, email)
    const long = 'w'.repeat(90)
    const properties = {
      [long]: { type: 'integer', title: long, minimum: 1 },
      choice: { enum: [long] },
      tags: { type: 'array', items: { type: 'string' } },
    }
    const { id } = await asMember<{ id: string }>(page.request, 'POST', '/item-types', {
      name: long,
      schema: { type: 'object', properties },
    })
    const visit = async (path: string) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        `${path} is too wide`,
      ).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    }
    for (const path of ['', '/new', `/${id}`]) await visit(`/dashboard/item-types${path}`)
    const { id: collectionId } = await asMember<{ id: string }>(page.request, 'POST', '/collections', {
      name: `Fixed ${Date.now()}`,
      default_item_type_id: id,
    })
    await visit(`/dashboard/item-types/${id}`)
    await visit(`/dashboard/items/new?collection_id=${collectionId}`)
  })
})
