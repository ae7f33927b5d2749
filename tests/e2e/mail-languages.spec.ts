import { dirOf } from '../../lib/core/locales.ts'
import { sendGift } from './support/gift.ts'
import { LOOKED_AT } from './support/languages.ts'
import { lookAtMail } from './support/look.ts'
import { mailTo } from './support/stack.ts'
import { expect, test } from './support/test.ts'

for (const locale of LOOKED_AT)
  test(`the mail of a gift in ${locale} says its language and fits a narrow phone`, async ({ page }) => {
    const title = locale === 'ar' ? 'حمامة النهر' : 'The Night Heron'
    const { email } = await sendGift({ locale, title })
    const { html } = await mailTo(email, /\S/)
    await lookAtMail(page, html, `mail ${locale}`)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expect(page.locator('html')).toHaveAttribute('dir', dirOf(locale))
    await expect(page.getByText(title).first()).toBeVisible()
  })
