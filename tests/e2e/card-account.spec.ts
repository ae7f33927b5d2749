import { expectAccessible } from './support/axe.ts'
import { asMember, makeNewcomer, signIn } from './support/newcomer.ts'
import { expect, test } from './support/test.ts'

test('an organization connects its account at the card provider, and a finished or unknown page says so', async ({
  page,
}) => {
  const { email } = await makeNewcomer()
  await signIn(page, email)
  const { id, onboarding_url: url } = await asMember<{ id: string; onboarding_url: string }>(
    page.request,
    'POST',
    '/payment-integrations',
    {},
  )
  await page.goto(url)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send it in' }).click()
  await expect(page.getByRole('heading', { name: 'We are looking at it' })).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByRole('heading', { name: 'Your account can take cards' })).toBeVisible()
  await expectAccessible(page)
  await expect
    .poll(
      async () =>
        (await asMember<{ status: string }>(page.request, 'POST', `/payment-integrations/${id}/refresh`, {})).status,
    )
    .toBe('ACTIVE')

  await page.goto(`${url}x`)
  await expect(page.getByRole('heading', { name: 'This page is over' })).toBeVisible()
  await expectAccessible(page)
})
