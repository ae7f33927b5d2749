import { Webhook as Verifier } from 'standardwebhooks'
import { startReceiver } from '../support/receiver.ts'
import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { expect, test } from './support/test.ts'

test('a developer creates a webhook, verifies, retries and replays deliveries and rotates the secret, audited', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const receiver = await startReceiver()
  const { email } = await makeNewcomer()
  await signIn(page, email)

  // The empty state describes the events.
  await page.goto('/dashboard/webhooks')
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
  await page.getByText('purchase.confirmed').click()
  await expect(page.getByText('"purchase_intent_id"').first()).toBeVisible()
  await expectAccessible(page)

  // Errors are shown beside their fields; the secret is shown once.
  await page.getByRole('link', { name: 'New webhook' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop backend')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://10.1.2.3/hook')
  await page.getByRole('radio', { name: /^Only these/ }).check()
  await page.getByRole('button', { name: 'Create the webhook' }).click()
  await expect(page.getByText('Tick at least one event')).toBeVisible()
  await page.getByRole('checkbox', { name: /^collection.deployed/ }).check()
  await page.getByRole('checkbox', { name: /^claim.created/ }).check()
  await page.getByRole('button', { name: 'Create the webhook' }).click()
  await expect(page.getByText('This address is not on the public internet.').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await page.getByRole('button', { name: 'Create the webhook' }).click()
  const secret = (await page.getByTestId('webhook-secret').textContent())!.trim()
  expect(secret).toMatch(/^whsec_/)
  await expect(page.getByText('// receiver.mjs')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'I have it' }).click()

  // A test event is delivered with a valid signature.
  await page.getByRole('link', { name: 'Shop backend' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing sent yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await receiver.waitForRequests(1)
  const [first] = receiver.received
  expect(new Verifier(secret).verify(first!.body, first!.headers as Record<string, string>)).toMatchObject({
    type: 'webhook.test',
    id: first!.headers['webhook-id'],
  })
  const deliveries = page.locator('li:has(> details)')
  await expect(deliveries.locator('summary').filter({ hasText: 'webhook.test' })).toContainText('Delivered')

  // A failed delivery is retried, and at once by the button.
  receiver.answer({ status: 503, body: 'Closed for repairs.' })
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expect(page.getByText('Every attempt fails.')).toBeVisible()
  const failing = deliveries.filter({ hasText: 'Will be tried again' })
  await failing.locator('summary').click()
  await expect(failing.getByText('Closed for repairs.').first()).toBeVisible()
  await expect(failing.getByText('The receiver answered 503.').first()).toBeVisible()
  await expectAccessible(page)
  receiver.answer({ status: 200 })
  await failing.getByRole('button', { name: 'Try it now' }).click()
  await expect(page.getByText('Every attempt fails.')).toBeHidden()

  // Disabling and enabling; a replay without events to send; one delivery sent again with the same id.
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByRole('button', { name: 'Disable it' }).click()
  await expect(page.getByText('Nothing is sent.', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Enabled')
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send them' }).click()
  await expect(page.getByText('There is nothing to send again since then.')).toBeVisible()
  const before = receiver.received.length
  const delivered = deliveries.filter({ hasText: 'Delivered' }).last()
  await delivered.locator('summary').click()
  await delivered.getByRole('button', { name: 'Send it again' }).click()
  await receiver.waitForRequests(before + 1)
  expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(first!.headers['webhook-id'])

  // Filters are in the URL.
  await page.getByLabel('State').selectOption('FAILED')
  await expect(page).toHaveURL(/state=FAILED/)
  await expect(page.getByRole('heading', { name: 'No deliveries match' })).toBeVisible()

  // After rotation both secrets sign.
  await page.getByRole('link', { name: 'Replace it' }).click()
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  const next = (await page.getByTestId('webhook-secret').textContent())!.trim()
  await page.getByRole('link', { name: 'I have it' }).click()
  await expect(page.getByText('Both secrets')).toBeVisible()
  const count = receiver.received.length
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await receiver.waitForRequests(count + 1)
  const last = receiver.received.at(-1)!
  for (const signingSecret of [secret, next])
    expect(new Verifier(signingSecret).verify(last.body, last.headers as Record<string, string>)).toMatchObject({
      type: 'webhook.test',
    })

  // The audit log has the changes and their actor.
  await page.goto('/dashboard/audit?subject_type=webhook')
  const entry = page.locator('li:has(> details)').filter({ hasText: 'Webhook updated' }).first()
  await entry.locator('summary').click()
  await expect(entry.getByRole('row', { name: /Status/ })).toContainText('ENABLED')
  await expect(entry.getByText(email).first()).toBeVisible()
  await expectAccessible(page)
  await entry.getByRole('link', { name: 'All that happened to it' }).click()
  await expect(page.getByText('Webhook created', { exact: true })).toBeVisible()
  await expect(page.getByText('whsec_')).toHaveCount(0)
  const { results } = await asMember<{ results: { action: string }[] }>(
    page.request,
    'GET',
    '/audit-entries?action=webhook.secret',
  )
  expect(results.map(({ action }) => action)).toEqual(['webhook.secret_rotated'])
  await receiver.close()
})
