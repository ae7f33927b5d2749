import { execFileSync } from 'node:child_process'
import { readOrCreateSecrets } from '../../scripts/launcher/secrets.ts'
import { expect, test } from './support/test.ts'
import { expectAccessible } from './support/axe.ts'
import { collection, sendGift } from './support/gift.ts'
import { stack } from './support/stack.ts'

/** `npm run admin`, as the operator runs it on the installation. */
function operate(...args: string[]): string {
  const { SERVER_KEY } = readOrCreateSecrets(process.env.E2E_DATA_DIR ?? '.test/e2e')
  return execFileSync(process.execPath, ['scripts/admin.ts', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: stack().runtime_database_url, SERVER_KEY },
  })
}

test('a recipient reports a claim by keyboard, and the operator reads and closes the report', async ({ page }) => {
  const gift = await sendGift({ title: 'The Reported Heron' })
  await page.goto(gift.url)
  await page.getByRole('button', { name: 'Report this' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Report this' })
  await expect(dialog.getByText('goes to those who run this service, not to the seller or sender')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('What is wrong?').selectOption('IMPERSONATION')
  await dialog.getByLabel('Tell us more').fill('This is not the river society.')
  await dialog.getByLabel('Tell us more').press('Tab')
  await page.keyboard.type('eve@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Thank you' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).last().press('Enter')
  await expect(page.getByRole('heading', { name: 'The Reported Heron' }).first()).toBeVisible()

  const listed = operate('reports')
  expect(listed).toContain(`IMPERSONATION  claim ${gift.claimId}`)
  expect(listed).toContain('says "This is not the river society."')
  expect(listed).not.toContain(gift.url.split('/').at(-1))
  const [id] = listed
    .split('\n')
    .find((line) => line.includes(gift.claimId))!
    .split(' ')
  operate('reports', 'close', id!, '--note', 'Looked at it.')
  expect(operate('reports')).not.toContain(gift.claimId)
})

for (const [name, viewport, colorScheme] of [
  ['on a phone in the dark', { width: 390, height: 844 }, 'dark'],
  ['on a desktop in the light', { width: 1280, height: 800 }, 'light'],
] as const)
  test(`a suspended claim says that it isn’t offered, without the reason, ${name}`, async ({ page }, info) => {
    const gift = await sendGift({ title: 'The Suspended Heron' })
    const { id } = await collection()
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.goto(gift.url)
    await expect(page.getByRole('button', { name: 'Send me my PIN' })).toBeVisible()
    expect(operate('suspend', 'collection', id, '--reason', 'A stolen picture.')).toContain('is suspended')
    try {
      await page.reload()
      await expect(page.getByRole('heading', { name: 'This isn’t offered at the moment' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Send me my PIN' })).toHaveCount(0)
      await expect(page.getByText('A stolen picture')).toHaveCount(0)
      await expectAccessible(page)
      await page.screenshot({ path: info.outputPath('suspended.png'), fullPage: true })
      await page.getByRole('button', { name: 'Report this' }).click()
      await expect(page.getByRole('dialog', { name: 'Report this' })).toBeVisible()
      await expectAccessible(page)
      await page.screenshot({ path: info.outputPath('report.png') })
    } finally {
      operate('unsuspend', 'collection', id)
    }
    await page.reload()
    await expect(page.getByRole('button', { name: 'Send me my PIN' })).toBeVisible()
  })
