import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { getLocale, getTranslations } from 'next-intl/server'
import { chooseLanguage } from '@/app/language/choose-language'
import { Texts } from '@/app/language/texts'
import { LanguageSwitch } from '@/components/shared/language-switch'
import { WithoutCookies } from '@/components/shared/without-cookies'
import { PageLanguage } from '@/components/shared/page-language'
import { Alert } from '@/components/ui/alert'
import { ThemeToggle } from '@/components/ui/theme'
import { Wordmark } from '@/components/ui/wordmark'
import { DASHBOARD_LOCALES, dirOf } from '@/lib/core/locales'

export default async function SignInLayout({ children }: { children: ReactNode }) {
  const [locale, t] = await Promise.all([getLocale(), getTranslations('dashboard.signIn')])
  return (
    <Texts of={['dashboard.signIn', 'dashboard.passkeys']}>
      <PageLanguage locale={locale} dir={dirOf(locale)} />
      <div className="mx-auto grid min-h-dvh w-full max-w-md grid-rows-[auto_1fr_auto] px-5 py-5">
        <header className="flex items-center justify-between">
          <Link href="/" className="rounded-sm">
            <Wordmark />
          </Link>
          <ThemeToggle />
        </header>
        <main className="grid content-center gap-6 py-10">
          <WithoutCookies>
            <Alert tone="warning" live title={t('noCookies')}>
              {t('noCookiesLead')}
            </Alert>
          </WithoutCookies>
          <div className="contents">{children}</div>
        </main>
        <footer className="text-sm text-muted">
          <LanguageSwitch choose={chooseLanguage} among={DASHBOARD_LOCALES} />
        </footer>
      </div>
    </Texts>
  )
}
