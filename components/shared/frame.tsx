import type { ReactElement, ReactNode } from 'react'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { ThemeToggle } from '@/components/ui/theme'
import { Wordmark } from '@/components/ui/wordmark'
import { type SellerFacts, SellerFooter, SellerHeader, SellerLook } from './seller'

export type FrameProps = { seller?: SellerFacts | null; language?: ReactElement | false; children: ReactNode }

/** The layout of the recipient's and buyer's pages: whose they are, with the theme switch; content; footer. */
export function Frame({ seller = null, language, children }: FrameProps) {
  const t = useTranslations('common')
  return (
    <SellerLook seller={seller} className="mx-auto flex min-h-dvh w-full max-w-5xl flex-col px-5 sm:px-8">
      <header className="flex items-center justify-between gap-4 py-4">
        {seller ? <SellerHeader seller={seller} /> : <Wordmark className="text-sm" />}
        <ThemeToggle />
      </header>
      <main className="grow pt-2 pb-14 sm:pt-8">{children}</main>
      <footer className="flex flex-wrap gap-x-6 gap-y-2 border-t py-5 text-sm text-muted">
        <Link href={seller ? `/wallet?from=${seller.id}` : '/wallet'} className="rounded-sm hover:text-ink">
          {t('myWallet')}
        </Link>
        {language}
        {seller && <SellerFooter seller={seller} />}
      </footer>
    </SellerLook>
  )
}
