import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { CHANGING, type ChangingForm } from './support/changing-forms.ts'
import { type Form, type Made, makeRecords } from './support/forms.ts'
import { MAKING, type MakingForm } from './support/making-forms.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { stack } from './support/stack.ts'
import { makeStock } from './support/stock.ts'
import { expect, test } from './support/test.ts'

// Where half past two comes twice on one day, and never on another.
test.use({ timezoneId: 'Europe/Berlin', locale: 'en' })
test.describe.configure({ mode: 'parallel' })

type Records = Record<string, unknown> & { results?: Record<string, unknown>[] }

const recordOf = (page: Page, path: string) => asMember<Records>(page.request, 'GET', path)
const controlIn = (form: Locator, name: string) => form.locator(`[name="${name}"]:not([type=hidden])`)

/** Opens a page with a form and waits until it listens. */
async function open(page: Page, { page: pathOf, opens, sends }: Form, made: Made): Promise<Locator> {
  await page.goto(pathOf(made))
  const button = opens ? page.getByRole('button', { name: opens }).first() : null
  await expect(button ?? page.getByRole('button', { name: sends, exact: true }).first()).toBeVisible()
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main form, main button')].every((element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps')),
    ),
  )
  await button?.click()
  return page.locator('form').filter({ has: page.getByRole('button', { name: sends, exact: true }) })
}

/** Sends a form by pressing its button, and waits for the answer. */
async function send(page: Page, form: Locator, { sends }: Form, twice = false): Promise<void> {
  const answered = page.waitForResponse(
    (response) => response.request().method() === 'POST' && 'next-action' in response.request().headers(),
  )
  const button = form.getByRole('button', { name: sends, exact: true })
  await (twice ? button.dblclick() : button.click())
  await answered
}

async function enter(form: Locator, name: string, value: string | boolean): Promise<void> {
  const controls = controlIn(form, name)
  const control = controls.first()
  await expect(control, name).toBeAttached()
  const kind = await control.evaluate((element) => (element as HTMLInputElement).type)
  if (kind === 'radio' || (kind === 'checkbox' && typeof value === 'string'))
    return form.locator(`[name="${name}"][value="${value}"]`).check()
  if (kind === 'checkbox') return control.setChecked(value === true)
  if (kind !== 'select-one') return control.fill(String(value))
  const option = control.locator(`option[value="${value}"]`)
  await control.selectOption((await option.count()) > 0 ? { value: String(value) } : { label: String(value) })
}

async function enterAll(form: Locator, { enters }: Form): Promise<void> {
  for (const [name, value] of Object.entries(enters)) await enter(form, name, value)
  const shown = await form.evaluate((element) =>
    [...(element as HTMLFormElement).elements]
      .filter((control) => !(control instanceof HTMLButtonElement))
      .map((control) => control as HTMLInputElement)
      .filter(({ name, type }) => name && type !== 'hidden')
      .map(({ name }) => name),
  )
  expect(
    [...new Set(shown)].filter((name) => !(name in enters)),
    'controls that the list lacks',
  ).toEqual([])
}

/** A refusal stands at its field, which has the focus and what was typed in it. */
async function expectRefused(page: Page, form: Locator, row: Form): Promise<void> {
  if (!row.wrong) return
  const { control: name, value, says } = row.wrong
  const control = controlIn(form, name)
  const before = await control.inputValue()
  await control.fill(value)
  await send(page, form, row)
  await expect(control, `${name} is invalid`).toHaveAttribute('aria-invalid', 'true')
  await expect(control).toBeFocused()
  await expect(control).toHaveValue(value)
  await expect(control).toHaveAccessibleDescription(says)
  await control.fill(before)
}

async function walkChanging(page: Page, row: ChangingForm, made: Made): Promise<void> {
  const path = row.record(made)
  const before = await recordOf(page, path)

  let form = await open(page, row, made)
  await send(page, form, row)
  expect(await recordOf(page, path), 'saved untouched').toEqual(before)
  const isTold = async () =>
    new URL(page.url()).pathname !== row.page(made) || page.getByText('Nothing was changed').first().isVisible()
  await expect.poll(isTold, { message: 'says that nothing was changed, or leads on' }).toBe(true)

  form = await open(page, row, made)
  await expectRefused(page, form, row)
  expect(await recordOf(page, path), 'refused').toEqual(before)
  await enterAll(form, row)
  if (row.meanwhile) {
    const { body, control, theirs } = row.meanwhile
    const changed = await page.request.fetch(`/v1${path}`, {
      method: 'PATCH',
      headers: { origin: stack().origin },
      data: body,
    })
    expect(changed.ok(), await changed.text()).toBe(true)
    const theirRecord = await recordOf(page, path)
    await send(page, form, row)
    const said = form.getByText(/Somebody saved .* here meanwhile/).filter({ hasText: theirs })
    await expect(said.first(), `${control} names both values`).toBeVisible()
    expect(await recordOf(page, path), 'nothing is saved').toEqual(theirRecord)
  }
  await send(page, form, row, true)
  await expect.poll(() => recordOf(page, path), { message: 'saved with all fields' }).toMatchObject(row.becomes)
}

async function walkMaking(page: Page, row: MakingForm, made: Made): Promise<void> {
  const all = async () => (await recordOf(page, row.list(made))).results!
  const before = await all()
  const form = await open(page, row, made)
  await expectRefused(page, form, row)
  expect(await all(), 'refused').toHaveLength(before.length)
  await enterAll(form, row)
  await send(page, form, row, true)
  await expect
    .poll(async () => (await all()).find(({ id }) => before.every((one) => one.id !== id)), {
      message: 'made with all fields',
    })
    .toMatchObject(row.becomes)
  expect(await all(), 'made once').toHaveLength(before.length + 1)
}

async function begin(page: Page): Promise<Made> {
  const { email, organizationId } = await makeNewcomer()
  await signIn(page, email)
  return makeRecords(page.request, organizationId)
}

test('each form that changes something saves what was changed and nothing else, and names what somebody else changed meanwhile', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const made = await begin(page)
  for (const row of CHANGING) await test.step(row.actions.join(), () => walkChanging(page, row, made))
})

test('each form that makes something makes it once, with all that was entered', async ({ page }) => {
  test.setTimeout(300_000)
  const made = await begin(page)
  for (const row of MAKING) await test.step(row.actions.join(), () => walkMaking(page, row, made))
})

test('on the overview, what can’t be undone asks first', async ({ page }) => {
  const { email, organizationId } = await makeNewcomer()
  await signIn(page, email)
  const { collectionId } = await makeStock(organizationId, [])
  await page.goto('/dashboard')
  await page.getByLabel('Title').fill('The night heron')
  const question = page.getByRole('dialog')
  const all = async () => (await recordOf(page, '/items')).results!
  await expect(async () => {
    await page.getByRole('button', { name: 'Create the item' }).click()
    await expect(question).toContainText('It can’t be undone', { timeout: 2_000 })
  }).toPass()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect(await all()).toEqual([])

  await asMember(page.request, 'POST', '/items', { collection_id: collectionId, attributes: { title: 'Heron' } })
  await page.goto('/dashboard')
  await expect(async () => {
    await page.getByRole('button', { name: 'Fix its contents' }).click()
    await expect(question).toContainText('Lock “Heron”?', { timeout: 2_000 })
  }).toPass()
  await expectAccessible(page)
  expect(await all()).toMatchObject([{ locked: false }])
  await question.getByRole('button', { name: 'Lock the item' }).click()
  await expect(page.getByText('The item “Heron”')).toBeVisible()
})

test('of a time that the clocks show twice a person says which', async ({ page }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/campaigns/new')
  await page.getByLabel('Name').fill('The long night')
  await expect(async () => {
    await page.getByLabel('Gifts leave at').fill('')
    await page.getByLabel('Gifts leave at').fill('2032-10-31T02:30')
    await page.getByLabel('Which of the two').selectOption({ index: 1 }, { timeout: 5_000 })
  }).toPass()
  await page.getByRole('button', { name: 'Make it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'The long night' })).toBeVisible()
  const { results } = await recordOf(page, '/marketing-campaigns')
  expect(results![0]).toMatchObject({ send_at: '2032-10-31T01:30:00.000Z' })
})
