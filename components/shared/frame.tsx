import type { ReactNode } from 'react'
import Link from 'next/link'
import { ThemeToggle } from '@/components/ui/theme'
import { Wordmark } from '@/components/ui/wordmark'

/** The layout of the recipient's and buyer's pages: header with the theme switch, content, footer. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-5xl flex-col px-5 sm:px-8">
      <header className="flex items-center justify-between py-4">
        <Wordmark className="text-sm" />
        <ThemeToggle />
      </header>
      <main className="grow pt-2 pb-14 sm:pt-8">{children}</main>
      <footer className="flex flex-wrap gap-x-6 gap-y-2 border-t py-5 text-sm text-muted">
        <Link href="/wallet" className="rounded-sm hover:text-ink">
          My wallet
        </Link>
      </footer>
    </div>
  )
}
