import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { headers } from 'next/headers'
import { getLocale, getTranslations } from 'next-intl/server'
import { WATCH_PRESSES } from '@/components/shared/early-press'
import { FollowPage } from '@/components/shared/follow-page'
import { MovedNodes } from '@/components/shared/moved-nodes'
import { Theme } from '@/components/ui/theme'
import { dirOf } from '@/lib/core/locales'
import { now } from '@/lib/core/clock'
import { maintenanceSince } from '@/lib/platform/http/maintenance'
import { nonceIn } from '@/lib/platform/http/page-policy'
import { fonts } from './fonts/fonts'
import { Texts } from './language/texts'
import './globals.css'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: { default: 'Vitrine', template: '%s · Vitrine' },
  description: (await getTranslations('home'))('title'),
  formatDetection: { telephone: false, email: false, address: false },
})

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f9f8' },
    { media: '(prefers-color-scheme: dark)', color: '#0d1211' },
  ],
}

/** A page without the database says so itself. */
const isInMaintenance = async (): Promise<boolean> => (await maintenanceSince().catch(() => null)) !== null

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, t] = await Promise.all([getLocale(), getTranslations('common')])
  const nonce = nonceIn((await headers()).get('content-security-policy'))
  return (
    <html lang={locale} dir={dirOf(locale)} suppressHydrationWarning className={fonts}>
      <body className="min-h-dvh bg-wall text-ink">
        <MovedNodes nonce={nonce} />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: WATCH_PRESSES }} />
        <Theme nonce={nonce}>
          <FollowPage madeAt={now().getTime()} />
          <Texts>
            {(await isInMaintenance()) && (
              <p role="status" className="border-b bg-warn-soft px-5 py-2 text-center text-sm text-warn">
                {t('maintenance')}
              </p>
            )}
            <div className="contents">{children}</div>
          </Texts>
        </Theme>
      </body>
    </html>
  )
}
