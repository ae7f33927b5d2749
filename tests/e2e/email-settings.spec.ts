import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expectAccessible } from './support/axe.ts'
import { inDatabase } from './support/database.ts'
import { makeNewcomer, signIn } from './support/newcomer.ts'
import { expect, test } from './support/test.ts'

const PASSWORD = 'correct horse battery staple'

/** An organization's own mail server: accepts one password and records the recipients. */
async function startServer() {
  const recipients: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD
        ? done(null, { user: username })
        : done(Object.assign(new Error('5.7.8 Wrong password.'), { responseCode: 535 })),
    onData: (stream, session, done) => {
      stream.resume()
      stream.on('end', () => {
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    recipients,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

async function suppressAddress(organizationId: string, email: string): Promise<void> {
  await inDatabase(
    "INSERT INTO suppressions (id, organization_id, email, reason, detail) VALUES ($1, $2, $3, 'BOUNCE', '550 5.1.1 No such user')",
    [randomUUID(), organizationId, email],
  )
}

test('an organization sets up, activates, tests and deletes its own mail server, and allows a stopped address', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const server = await startServer()
  const { organizationId, email } = await makeNewcomer()
  await signIn(page, email)
  await page.goto('/dashboard/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Email' }).click()
  await expect(page.getByText('This installation’s own server')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No address is stopped' })).toBeVisible()
  await expectAccessible(page)

  // Missing values are shown beside their fields.
  await page.getByRole('radio', { name: /Another mail server/ }).check()
  await page.getByRole('button', { name: 'Save the settings' }).click()
  for (const name of ['Sender', 'Server', 'User name', 'Password'])
    await expect(page.getByLabel(name, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Sender', { exact: true })).toBeFocused()
  await page.getByLabel('Sender', { exact: true }).fill('River Society <drops@river.example>')
  await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
  await page.getByLabel('Port').fill(String(server.port))
  await page.getByLabel('User name').fill('river')
  await page.getByLabel('Password').fill('a mistyped password')
  await page.getByRole('button', { name: 'Save the settings' }).click()
  await expect(page.getByText('Not activated yet')).toBeVisible()
  await expect(page.getByText('v=spf1 ip4:127.0.0.1 ~all')).toBeVisible()

  // The server's refusal is shown; the password is not.
  await page.getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByText(/535/).first()).toBeVisible()
  await expect(page.getByText('Did not work')).toBeVisible()
  expect(await page.content()).not.toContain('a mistyped password')
  await expectAccessible(page)

  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Save the changes' }).click()
  await expect(page.getByText('Not activated yet')).toBeVisible()
  await page.getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByText('In use', { exact: true })).toBeVisible()
  expect(server.recipients).toEqual([email])

  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByLabel('To', { exact: true }).fill('friend@example.com')
  await page.getByRole('button', { name: 'Send it' }).click()
  await expect(page.getByText('The mail server took the message to friend@example.com.')).toBeVisible()
  expect(server.recipients).toEqual([email, 'friend@example.com'])

  // A stopped address, found by the filter in the URL.
  const suppressed = `gone-${organizationId}@example.com`
  await suppressAddress(organizationId, suppressed)
  await page.goto(`/dashboard/settings/email?email=${suppressed}`)
  await expect(page.getByRole('rowheader', { name: suppressed })).toBeVisible()
  await expect(page.getByText('550 5.1.1 No such user')).toBeVisible()
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: `Allow again: ${suppressed}` }).click()
  await page.getByRole('button', { name: 'Allow it' }).click()
  await expect(page.getByRole('heading', { name: 'No such address is stopped' })).toBeVisible()

  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Delete them' })).toBeDisabled()
  await page.getByLabel(/to go on/).fill('River Society <drops@river.example>')
  await page.getByRole('button', { name: 'Delete them' }).click()
  await expect(page.getByText('Set up mail of your own')).toBeVisible()
  await server.stop()
})
