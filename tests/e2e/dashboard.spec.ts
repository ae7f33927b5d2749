import { expectAccessible } from './support/axe.ts'
import { openSignInLink, signIn, signInByMail } from './support/newcomer.ts'
import { mailTo, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const suffix = Date.now().toString(36)

test('an admin signs in by mail, deploys a collection, and creates, locks, sends, revokes and mints an item', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await signIn(page)

  // A collection's form shows errors beside the fields and keeps the input.
  await page.goto('/dashboard/collections/new')
  await page.getByLabel('Description').fill('Flowers that open after dark.')
  await page.getByLabel('Web page').fill('not an address')
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page.getByText('This field is required.')).toBeVisible()
  await expect(page.getByText('An https address is needed.').first()).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Flowers that open after dark.')
  await expectAccessible(page)
  const collection = `Night garden ${suffix}`
  await page.getByLabel('Name').fill(collection)
  await page.getByLabel('Web page').fill('https://example.com/garden')
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await expect(page.getByRole('heading', { level: 1, name: collection })).toBeVisible()
  await expect(page.getByText('Not deployed')).toBeVisible()

  // A name can be used once.
  await page.goto('/dashboard/collections/new')
  await page.getByLabel('Name').fill(collection)
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await expect(page.getByText(`There is a collection called “${collection}” already.`).first()).toBeVisible()

  // The deployment's state is updated live.
  await page.goto(`/dashboard/collections?search=${encodeURIComponent(collection)}`)
  await page.getByRole('link', { name: collection, exact: true }).click()
  await page.getByRole('link', { name: 'Deploy', exact: true }).click()
  await expect(page.getByLabel('Symbol')).toHaveValue('NIGHT')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page
    .getByRole('dialog', { name: /^Deploy on / })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByLabel('Symbol')).toHaveValue('NIGHT') // Nothing was deployed.
  await page.getByRole('button', { name: 'Deploy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click()
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Live', { timeout: 60_000 })

  // An item is previewed while typing.
  await page.getByRole('link', { name: 'New item' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Moonflower')
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByText('Moonflower')).toBeVisible()
  await page.getByRole('button', { name: 'Add an attribute' }).click()
  await page.getByLabel('Name of attribute 1').fill('Colour')
  await page.getByLabel('Value of attribute 1').fill('Violet')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create the item' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Moonflower' })).toBeVisible()
  await expect(page.getByText('Violet')).toBeVisible()
  const itemPath = new URL(page.url()).pathname

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Description').fill('Opens at nine.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Opens at nine.')).toBeVisible()

  await page.getByRole('button', { name: 'Lock' }).click()
  await page.getByRole('button', { name: 'Lock the item' }).click()
  await expect(page.getByText('The item is locked.', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Lock' })).toHaveCount(0)

  // The item is found by filters in the URL.
  await page.goto('/dashboard/items?attribute=Colour:Violet&locked=true&search=moonflower')
  await expect(page.getByRole('link', { name: 'Moonflower' }).first()).toBeVisible()
  await expectAccessible(page)

  // The item is sent, resent to a corrected address, and revoked.
  await page.goto(itemPath)
  await page.getByRole('link', { name: 'Send by email' }).click()
  const wrong = `grace-${suffix}@example.com`
  const right = `grace.hopper-${suffix}@example.com`
  await page.getByLabel('Email').fill(wrong)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: wrong })).toBeVisible()
  expect((await mailTo(wrong, /Moonflower/)).text).toContain(`${stack().origin}/claim/`)
  await expect(page.getByRole('cell', { name: 'Sent', exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill(right)
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: right })).toBeVisible()
  await mailTo(right, /Moonflower/)

  await page.goto(itemPath)
  await expect(page.getByRole('link', { name: 'Email claim', exact: true })).toBeVisible() // The ledger shows the hold.
  await page.getByRole('link', { name: 'Email claim', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  const confirm = page.getByRole('button', { name: 'Revoke the claim' })
  await expect(confirm).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill(right)
  await confirm.click()
  await expect(page.getByText('This claim was revoked.')).toBeVisible()

  // The item is minted to an address; a wrong checksum is refused.
  await page.goto(itemPath)
  await page.getByRole('link', { name: 'Mint', exact: true }).click()
  await page.getByRole('textbox', { name: 'To' }).fill('0x70997970C51812dc3A010C7d01b50e0d17dc79c8')
  const mint = async () => {
    await page.getByRole('button', { name: 'Mint it' }).click()
    const asked = page.getByRole('dialog', { name: 'Mint this item?' })
    await expect(asked).toContainText('0x70997970C51812dc3A010C7d01b50e0d17dc79')
    await asked.getByRole('button', { name: 'Mint it' }).click()
    await expect(asked).toHaveCount(0) // Its button has the name of the form's.
  }
  await mint()
  await expect(page.getByText('The checksum of this address is wrong')).toBeVisible()
  await page.getByRole('textbox', { name: 'To' }).fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  await expect(page.getByText('The checksum of this address is wrong')).toHaveCount(0) // It is mended.
  await mint()
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Minted', { timeout: 60_000 })
  await expectAccessible(page)
  await page.goto(itemPath)
  await expect(page.getByRole('heading', { name: 'Owners' })).toBeVisible()
  await expect(page.getByText('0x70997970C51812dc3A010C7d01b50e0d17dc79C8').first()).toBeAttached()

  await page.goto('/dashboard/transactions?tx_type=ADMIN_MINT')
  await page.getByRole('rowheader').getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Done')
  await expectAccessible(page)
})

test('ERC-1155 items are locked with their units and sent two units at a time, paid for by the recipient', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await signIn(page)
  const collection = `Small press ${suffix}`
  await page.goto('/dashboard/collections/new')
  await page.getByLabel('Name').fill(collection)
  await page.getByRole('button', { name: 'Create the collection' }).click()
  await page.getByRole('link', { name: 'Deploy', exact: true }).click()

  // An address without a contract is refused, and the input is kept.
  await page.getByLabel('One that is there already').check()
  await page.getByLabel('Contract address').fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  await page.getByRole('button', { name: 'Connect the contract' }).click()
  await expect(page.getByText('There is no contract at this address').first()).toBeVisible()
  await expect(page.getByLabel('Contract address')).toHaveValue('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')

  await page.getByLabel('A new one').check()
  await page.getByLabel('Many of each').check()
  await page.getByLabel('Symbol').fill('PRESS')
  await page.getByLabel('At most').fill('a few')
  const deploy = async () => {
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click()
  }
  await deploy()
  await expect(page.getByText('Expected a whole number, at least 1, got text.').first()).toBeVisible()
  await page.getByLabel('At most').fill('100')
  await deploy()
  await expect(page.getByRole('heading', { level: 1, name: collection })).toBeVisible()

  // Three items are made in a row, and one is deleted.
  await page.getByRole('link', { name: 'New item' }).click()
  for (const [index, title] of ['Linocut', 'Etching', 'Mistake'].entries()) {
    await page.getByRole('textbox', { name: 'Title' }).fill(title)
    await page.getByRole('button', { name: index < 2 ? 'Create and make another' : 'Create the item' }).click()
    if (index < 2) await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('')
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Mistake' })).toBeVisible()
  const collectionPath = new URL(
    (await page.getByRole('link', { name: collection, exact: true }).getAttribute('href'))!,
    stack().origin,
  ).pathname
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete the item' }).click()
  await expect(page).toHaveURL(/\/dashboard\/items$/)

  const list = `/dashboard/items?collection_id=${collectionPath.split('/').at(-1)}`
  await page.goto(list)
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Linocut' }).check()
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await page.getByRole('button', { name: 'Lock them' }).click()
  await expect(page.getByText('so each of its items needs one too')).toBeVisible()
  await page.getByLabel('Units of each').fill('5')
  await page.getByRole('button', { name: 'Lock them' }).click()
  await expect(page.getByText('Locked: 1 item.')).toBeVisible()

  await page.goto(collectionPath)
  await page.getByRole('button', { name: 'Lock all' }).click()
  await page.getByRole('dialog').getByLabel('Units of each').fill('2')
  await page.getByRole('button', { name: 'Lock them' }).click()
  await expect(page.getByText('The item is locked.', { exact: true })).toBeVisible()

  await page.goto(collectionPath)
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Live', { timeout: 60_000 })
  await page.getByRole('link', { name: 'Etching' }).click()
  await page.getByRole('link', { name: 'Send by email' }).click()
  const email = `press-${suffix}@example.com`
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Units').fill('3')
  await page.getByRole('radio', { name: /^The recipient/ }).check()
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByText('Not enough units of this item are left.')).toBeVisible()
  await page.getByLabel('Units').fill('2')
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible()
  await expect(page.getByText('2 units of')).toBeVisible()
  await expectAccessible(page)
})

test('an API key is shown once, works, and stops working when revoked; signing out ends the session', async ({
  page,
}) => {
  await signIn(page)
  const name = `Shop backend ${suffix}`
  await page.goto('/dashboard/api-keys/new')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create the key' }).click()
  const key = await page.getByTestId('api-key').innerText()
  const me = () =>
    fetch(`${stack().origin}/v1/me`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status)
  expect(await me()).toBe(200)
  await expectAccessible(page)

  await page.goto('/dashboard/api-keys')
  await expect(page.getByText(key)).toHaveCount(0)
  await page.getByRole('button', { name: `Revoke ${name}` }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(name)
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await expect(page.getByText('The key is revoked.')).toBeVisible()
  expect(await me()).toBe(401)

  const cookies = await page.context().cookies()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await page.context().addCookies(cookies)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/sign-in$/)
})

test('a sign-in link works once, and an unknown address gets none', async ({ page }) => {
  const { text: used } = await mailTo(await signInByMail(page), /sign in/i)
  await page.context().clearCookies()
  await openSignInLink(page, used)
  await expect(page.getByText('This link has been used already')).toBeVisible()

  const unknown = `unknown-${suffix}@example.com`
  await page.getByLabel('Email').fill(unknown)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  const mails = (await (await fetch(`${stack().origin}/dev/mail.json?to=${unknown}`)).json()) as unknown[]
  expect(mails).toEqual([])
})

test('the reference page and both OpenAPI documents are served', async ({ page }) => {
  await page.goto('/docs/reference')
  await expect(page.getByRole('heading', { name: 'Vitrine public API' }).first()).toBeVisible()
  const fetched = await Promise.all(
    ['public', 'admin'].map(
      async (which) =>
        (await fetch(`${stack().origin}/openapi/${which}.json`)).json() as Promise<{ openapi: string; paths: object }>,
    ),
  )
  for (const document of fetched) {
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths).length).toBeGreaterThan(5)
    expect(Object.keys(document.paths).every((path) => path.startsWith('/v1/'))).toBe(true)
  }
})
