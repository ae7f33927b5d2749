import nodemailer from 'nodemailer'
import { expect, test } from './support/test.ts'
import { mailTo, stack } from './support/stack.ts'

test('the development inbox shows a mail as HTML and as text, without scripts', async ({ browser }) => {
  const { origin } = stack()
  const port = Number(new URL(origin).port) + 3
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port })
  const to = `inbox-${Date.now()}@example.com`
  await transport.sendMail({
    from: 'Vitrine <hello@vitrine.localhost>',
    to,
    subject: 'For your eyes',
    text: 'plain words',
    html: '<h1>set in type</h1>',
  })
  transport.close()
  expect(await mailTo(to, /your eyes/)).toMatchObject({
    to,
    from: 'Vitrine <hello@vitrine.localhost>',
    text: expect.stringContaining('plain words'),
  })

  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: origin })
  await page.goto('/dev/mail')
  await page.getByLabel('Sent to').fill(to)
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByRole('heading', { name: 'For your eyes' })).toBeVisible()
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'set in type' })).toBeVisible()
  await page.getByRole('link', { name: 'As text' }).click()
  await expect(page.getByText('plain words')).toBeVisible()
  await page.close()
})
