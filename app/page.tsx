import type { Metadata } from 'next'
import { Link } from '@/components/ui/link'
import { useLocale, useTranslations } from 'next-intl'
import { LanguageSwitch } from '@/components/shared/language-switch'
import { PageLanguage } from '@/components/shared/page-language'
import { ItemArt } from '@/components/ui/art'
import { LinkButton } from '@/components/ui/link-button'
import { TextLink } from '@/components/ui/text-link'
import { ThemeToggle } from '@/components/ui/theme'
import { Wordmark } from '@/components/ui/wordmark'
import { dirOf } from '@/lib/core/locales'
import { alternatesOf } from './language/alternates'
import { chooseLanguage } from './language/choose-language'

/** `drawnFrom`: what its art is made of, which is the same in each language. */
const PIECES = [
  { name: 'moonflower', drawnFrom: 'Moonflower', colours: [262, 88] },
  { name: 'harbour', drawnFrom: 'Harbour at seven', colours: [205, 50] },
  { name: 'arch', drawnFrom: 'Third arch', colours: [27, 88] },
  { name: 'mosaic', drawnFrom: 'Quiet mosaic', colours: [160, 75] },
] as const

const STEPS = ['make', 'send', 'theirs'] as const

export const generateMetadata = async (): Promise<Metadata> => ({ alternates: await alternatesOf('/') })

export default function LandingPage() {
  const t = useTranslations('home')
  const tCommon = useTranslations('common')
  const tLinks = useTranslations('links')
  const locale = useLocale()
  return (
    <div
      className={
        'mx-auto grid min-h-dvh w-full max-w-6xl grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] px-5 sm:px-8'
      }
    >
      <PageLanguage locale={locale} dir={dirOf(locale)} />
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-5">
        <Link href="/" className="rounded-sm">
          <Wordmark />
        </Link>
        <nav aria-label={t('site')} className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          <TextLink href="/docs">{t('docs')}</TextLink>
          <ThemeToggle />
          <LinkButton href="/dashboard" size="sm">
            {t('dashboard')}
          </LinkButton>
        </nav>
      </header>
      <main className="grid content-center gap-14 py-10">
        <div className="grid items-center gap-10 lg:grid-cols-2">
          <div className="grid justify-items-start gap-5">
            <h1 className="text-3xl font-medium hyphens-auto wrap-anywhere sm:text-4xl">{t('title')}</h1>
            <p className="max-w-lg text-lg text-muted">{t('lead')}</p>
            <div className="flex flex-wrap gap-3">
              <LinkButton href="/dashboard" variant="primary" size="lg">
                {t('openDashboard')}
              </LinkButton>
              <LinkButton href="/wallet" size="lg">
                {tCommon('myWallet')}
              </LinkButton>
            </div>
          </div>
          <ul aria-hidden="true" className="grid grid-cols-2 gap-4">
            {PIECES.map(({ name, drawnFrom, colours }, index) => (
              <li key={name} className={index % 2 === 1 ? 'translate-y-6' : undefined}>
                <div className="overflow-hidden rounded-lg border bg-pane shadow-lift">
                  <ItemArt title={drawnFrom} colours={[...colours]} className="w-full" />
                  <p className="px-3 py-2 text-xs text-muted">{t(`pieces.${name}`)}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
        <ol className="grid gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-3">
          {STEPS.map((step, index) => (
            <li key={step} className="grid content-start gap-2 bg-pane p-6">
              <span className="label-caps text-glass">{index + 1}</span>
              <h2 className="text-lg font-medium">{t(`steps.${step}.name`)}</h2>
              <p className="text-sm text-muted">{t(`steps.${step}.text`)}</p>
            </li>
          ))}
        </ol>
      </main>
      <footer className="flex flex-wrap gap-x-6 gap-y-2 py-6 text-sm text-muted">
        <TextLink href="/docs">{t('documentation')}</TextLink>
        <TextLink href="/docs/reference" prefetch={false}>
          {t('reference')}
        </TextLink>
        <TextLink href="/docs/errors">{t('errors')}</TextLink>
        <TextLink href="/wallet">{t('wallet')}</TextLink>
        <TextLink href="/claims">{tLinks('title')}</TextLink>
        <LanguageSwitch choose={chooseLanguage} />
      </footer>
    </div>
  )
}
