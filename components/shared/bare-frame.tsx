import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { ThemeToggle } from '@/components/ui/theme'
import { Wordmark } from '@/components/ui/wordmark'

type Props = {
  /** Whose page it is, in place of the product's name. */
  name?: ReactNode
  /** The organization that the wallet then shows. */
  from?: string
  footer?: ReactNode
  children: ReactNode
}

/**
 * The layout of the recipient's and buyer's pages: a name with the theme switch; content; footer. Pages that tell of a
 * failure use it, which all others load as well, so it needs nothing of the router.
 */
export function BareFrame({ name = <Wordmark className="text-sm" />, from, footer, children }: Props) {
  const t = useTranslations('common')
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-5xl flex-col px-5 sm:px-8">
      <header className="flex items-center justify-between gap-4 py-4">
        <div className="contents">{name}</div>
        <ThemeToggle />
      </header>
      <main className="grow pt-2 pb-14 sm:pt-8">{children}</main>
      <footer className="flex flex-wrap gap-x-6 gap-y-2 border-t py-5 text-sm text-muted">
        <a href={from === undefined ? '/wallet' : `/wallet?from=${from}`} className="rounded-sm hover:text-ink">
          {t('myWallet')}
        </a>
        <div className="contents">{footer}</div>
      </footer>
    </div>
  )
}
