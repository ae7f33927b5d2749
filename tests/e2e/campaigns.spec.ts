import { expectAccessible } from './support/axe.ts'
import { inDatabase } from './support/database.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { mailTo, stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

test('a member makes a campaign, writes, previews and tests its mail, restores a version and deletes it', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)

  // The empty state links to the form.
  await page.goto('/dashboard/campaigns')
  await expect(page.getByRole('heading', { name: 'No campaign yet' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New campaign' }).first().click()
  await page.getByLabel('Sender').fill('Birds <post@birds.example>')
  await page.getByRole('button', { name: 'Make it' }).click()
  await expect(page.getByText('This field is required.')).toBeVisible()
  await page.getByLabel('Name').fill('Night birds')
  await page.getByRole('button', { name: 'Make it' }).click()
  await expect(page.getByText('An address needs an active email integration')).toBeVisible()
  await page.getByLabel('Sender').fill('Friends of the River')
  await page.getByRole('button', { name: 'Make it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Night birds' })).toBeVisible()
  await expect(page.getByText('Mails come from Friends of the River.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing sent yet' })).toBeVisible()
  await expectAccessible(page)

  // The editor starts with the platform's template and shows a preview.
  await page.getByRole('link', { name: /^The PIN/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'The PIN' })).toBeVisible()
  const preview = page.getByRole('region', { name: 'Preview' })
  const mail = page.frameLocator('iframe[title="The mail"]')
  await expect(mail.getByText('482913').first()).toBeVisible()
  await expectAccessible(page)

  // The preview's iframe is fully sandboxed and still has its styles.
  await expect(page.locator('iframe[title="The mail"]')).toHaveAttribute('sandbox', '')
  await expect(mail.locator('body')).toHaveCSS('background-color', 'rgb(243, 246, 245)')
  await preview.getByRole('button', { name: 'Dark' }).click()
  await expect(mail.locator('body')).toHaveCSS('background-color', 'rgb(15, 22, 21)')

  // Errors are shown with their line while typing.
  await page.getByLabel('Subject').fill('{{pni}} opens it')
  await expect(page.getByText('Line 1: There is no variable {{pni}}. Did you mean {{pin}}?')).toBeVisible()
  await page.getByLabel('Subject').fill('{{pin}} opens it')
  await expect(preview.getByText('482913 opens it')).toBeVisible()
  await page.getByRole('button', { name: 'Code', exact: true }).click()
  await page.getByRole('button', { name: 'Edit as code' }).click()
  await expect(page.getByRole('textbox', { name: 'Body' })).toHaveValue(/^<mjml/)
  await page.getByLabel('The body is written in').selectOption('HTML')
  await page.getByRole('textbox', { name: 'Body' }).fill('<p>Your PIN is')
  await expect(page.getByText('{{pin}} must stand here')).toBeVisible()
  await page.getByRole('textbox', { name: 'Body' }).press('End')
  await page.getByRole('button', { name: 'Insert pin' }).click()
  await expect(page.getByRole('textbox', { name: 'Body' })).toHaveValue(/\{\{pin\}\}$/)
  await page.getByRole('textbox', { name: 'Body' }).fill('<p>Your PIN is <b>{{pin}}</b></p><script>alert(1)</script>')
  await expect(mail.getByText('Your PIN is 482913')).toBeVisible()

  // A test is sent before saving; leaving without saving asks for confirmation.
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await expect(page.getByText(`A test is on its way to ${email}.`)).toBeVisible()
  const sent = await mailTo(email, /^\[Test\] 482913 opens it$/)
  expect(sent.html).toContain('Your PIN is <b>482913</b>')
  expect(sent.html).not.toContain('script')
  await page.getByRole('link', { name: 'Night birds' }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Version 1 is saved. The next mail uses it.')).toBeVisible()
  await page.getByLabel('Subject').fill('Your PIN: {{pin}}')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Version 2 is saved. The next mail uses it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toBeFocused()
  await page.getByRole('link', { name: 'Use again version 1' }).click()
  await expect(page.getByText('Version 1 is open in the editor')).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveText('pin opens it')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Version 3 is saved. The next mail uses it.')).toBeVisible()
  await expectAccessible(page)

  // Saved untouched, it stays. What somebody else saved meanwhile is shown, and replaced only by whoever has seen it.
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Nothing was changed, so nothing was saved.')).toBeVisible()
  const [campaign] = (
    await asMember<{ results: { id: string }[] }>(page.request, 'GET', '/marketing-campaigns?name=Night%20birds')
  ).results
  const template = `/email-templates/CLAIM_PINCODE?campaign_id=${campaign!.id}&locale=en`
  const stored = () => asMember<{ subject: string; version: number }>(page.request, 'GET', template)
  const theirs = { subject: 'Theirs: {{pin}}', text: '{{pin}}', format: 'HTML', body: '<p>{{pin}} of a colleague</p>' }
  const written = await page.request.put(`/v1${template}`, { headers: { origin: stack().origin }, data: theirs })
  expect(written.ok(), await written.text()).toBe(true)
  await page.getByLabel('Subject').fill('Mine: {{pin}}')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Somebody else changed this template meanwhile/)).toBeVisible()
  await expect(page.getByText('<p>{{pin}} of a colleague</p>')).toBeVisible()
  await expectAccessible(page)
  expect(await stored()).toMatchObject({ subject: theirs.subject, version: 4 })
  await page.getByRole('button', { name: 'Use it here instead' }).click()
  await expect(page.getByLabel('Subject')).toHaveText('Theirs: pin')
  await expect(page.getByRole('textbox', { name: 'Body' })).toHaveValue(theirs.body)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Subject')).toHaveText('Mine: pin')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Version 5 is saved. The next mail uses it.')).toBeVisible()
  expect(await stored()).toMatchObject({ subject: 'Mine: {{pin}}', version: 5 })

  // On a phone the preview is behind a button, and the page fits.
  await page.setViewportSize({ width: 320, height: 720 })
  await expect(preview).toBeHidden()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(preview).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.setViewportSize({ width: 1280, height: 800 })

  // The campaign is listed; its deletion names what goes with it.
  await page.goto('/dashboard/campaigns?name=Night+birds')
  await expect(page.getByRole('row', { name: /Night birds/ })).toBeVisible()
  await page.goto(`/dashboard/campaigns/${campaign!.id}`)
  await expect(page.getByText('This campaign’s template', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Its template and figures are deleted too.', { exact: false })).toBeVisible()
  await page.getByLabel(/^Type/).fill('Night birds')
  await page.getByRole('button', { name: 'Delete it' }).click()
  await expect(page).toHaveURL(/\/dashboard\/campaigns$/)
  await expect(page.getByRole('heading', { name: 'No campaign yet' })).toBeVisible()
})

test('a template is written in blocks, says what is missing before it is saved, and becomes code when that is wanted', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/campaigns/templates/redeem-nft')
  const mail = page.frameLocator('iframe[title="The mail"]')
  const heading = page.getByRole('group', { name: 'Heading, block 3' }).getByRole('textbox')
  await expect(heading).toHaveText('“item_title” is yours to take')
  await expect(async () => {
    await heading.fill('A gift: ')
    await expect(mail.getByText('A gift:')).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await page.getByRole('button', { name: 'Insert item_title' }).click()
  await expect(heading).toHaveText('A gift: item_title')
  await expect(mail.getByText('A gift: Moonflower')).toBeVisible()
  await expectAccessible(page)

  // Without the link to the item it can't be saved, which is said while it is written.
  await page.getByRole('button', { name: 'Remove: Button, block 6' }).click()
  const missing = page.getByText('Something is missing.')
  await expect(missing).toBeVisible()
  await expect(page.getByText('No block leads to the item yet')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Some blocks need another look.')).toBeVisible()
  await page.getByLabel('New block').selectOption('BUTTON')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const button = page.getByRole('group', { name: 'Button, block 9' })
  await button.getByLabel('What it says').fill('Take it')
  await expect(missing).toHaveCount(0)
  await expect(page.getByText('Some blocks need another look.')).toHaveCount(0) // It is mended.
  await page.getByRole('button', { name: 'Move up: Button, block 9' }).click()
  await expect(mail.getByRole('link', { name: 'Take it' })).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Version 1 is saved. The next mail uses it.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('group', { name: 'Button, block 8' }).getByLabel('What it says')).toHaveText('Take it')

  // On a phone it fits.
  await page.setViewportSize({ width: 320, height: 720 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Code', exact: true }).click()
  await page.getByRole('button', { name: 'Edit as code' }).click()
  await expect(page.getByRole('textbox', { name: 'Body' })).toHaveValue(/Take it<\/mj-button>/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Version 2 is saved. The next mail uses it.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Body' })).toBeVisible()
  await page.getByRole('button', { name: 'Blocks', exact: true }).click()
  await expect(page.getByText('This template is written as code.')).toBeVisible()
})

test('a template opens in the organization’s language, says whom “All languages” is for, and starts from built-in words', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { email, organizationId } = await makeNewcomer()
  await inDatabase(`UPDATE organizations SET locale = 'de' WHERE id = $1`, [organizationId])
  await signIn(page, email)
  await page.goto('/dashboard/campaigns')
  await page.getByRole('link', { name: /^The link/ }).click()
  const languages = page.getByRole('navigation', { name: 'Language' }).getByRole('link')
  await expect(languages.first()).toHaveText('German')
  await expect(languages.first()).toHaveAttribute('aria-current', 'true')
  const heading = page.getByRole('group', { name: 'Heading, block 3' }).getByRole('textbox')
  await expect(heading).toHaveText('„item_title“ wartet auf Sie')

  // A condition is two chips and the words between them; typing around a chip can't break it.
  const retry = page.getByRole('group', { name: 'Text, block 4' }).getByRole('textbox')
  await expect(retry).toHaveText(/^if retryDie gewünschte Zustellung .*end$/)
  await expect(page.getByText('{{#')).toHaveCount(0)
  await expect(async () => {
    await heading.click()
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await expect(heading).toHaveText('„item_title“ wartet auf Sie!', { timeout: 1_000 })
  }).toPass()
  for (let at = 0; at < '“ wartet auf Sie!'.length; at++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('Ihr ')
  await expect(heading).toHaveText('„item_titleIhr “ wartet auf Sie!')
  for (let at = 0; at < 'Ihr '.length; at++) await page.keyboard.press('Control+z')
  await expect(heading).toHaveText('„item_title“ wartet auf Sie!')

  // Removing one end of a condition removes the other, and keeps its words.
  await retry.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Backspace')
  await expect(retry).toHaveText(/^Die gewünschte Zustellung .*an\.$/)
  await page.keyboard.type(' {{#from_holder}}x')
  await expect(retry).toHaveText(/an\. if from_holderxend$/)

  // Saved, it is German's, and the focus stays.
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Version 1 is saved. The next mail uses it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeFocused()
  await expect(languages.first()).toContainText('has words of its own')
  await page.reload()
  await expect(heading).toHaveText('„item_title“ wartet auf Sie!')

  // “All languages” names whom it is for.
  await page.getByRole('link', { name: 'All languages' }).click()
  const warning = page.getByText('This text is for every language that has no words of its own')
  await expect(warning).toBeVisible()
  await expect(page.getByText(/instead of the built-in words of their language: English, French/)).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Subject').fill('Ein Geschenk')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Version 1 is saved. The next mail uses it.')).toBeVisible()

  // A language that shows it can start from its own built-in words instead.
  await page.getByRole('link', { name: 'French' }).click()
  await expect(page.getByText('You see your text for all languages.')).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveText('Ein Geschenk')
  await page.getByRole('button', { name: 'Start from the built-in text: French' }).click()
  await expect(page.getByLabel('Subject')).not.toHaveText('Ein Geschenk')
  await expect(heading).toHaveText(/item_title/)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Version 1 is saved. The next mail uses it.')).toBeVisible()

  // After a reset the same page shows what is sent now.
  await page.getByRole('button', { name: 'Reset this template' }).click()
  await page.getByRole('button', { name: 'Reset it' }).click()
  await expect(page.getByText('The template is reset.')).toBeVisible()
  await expect(page).toHaveURL(/redeem-nft\?locale=fr$/)
  await expect(page.getByLabel('Subject')).toHaveText('Ein Geschenk')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('the organization’s default look appears in the platform’s templates', async ({ page }) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/settings')
  await page.getByLabel('Colour of buttons').fill('#7b7b7b')
  await expect(page.getByText('Text is hard to read on this colour.')).toBeVisible()
  await page.getByLabel('Colour of buttons').fill('#ffd400')
  await page.getByLabel('Footer').fill('Harbour Street 1, Hamburg')
  await page.getByRole('button', { name: 'Save the look' }).click()
  await expect(page.getByText('The look is saved.')).toBeVisible()
  await page.goto('/dashboard/campaigns')
  await page.getByRole('link', { name: /^The link/ }).click()
  const mail = page.frameLocator('iframe[title="The mail"]')
  await expect(mail.getByText('Harbour Street 1, Hamburg')).toBeVisible()
  expect(
    await mail.getByRole('link', { name: 'See what it is' }).evaluate((link) => getComputedStyle(link).backgroundColor),
  ).toBe('rgb(255, 212, 0)')
})
