import type { ReactNode } from 'react'
import Link from 'next/link'
import { ThemeToggle } from '@/components/ui/theme'
import { Wordmark } from '@/components/ui/wordmark'

export default function SignInLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-md grid-rows-[auto_1fr] px-5 py-5">
      <header className="flex items-center justify-between">
        <Link href="/" className="rounded-sm">
          <Wordmark />
        </Link>
        <ThemeToggle />
      </header>
      <main className="grid content-center gap-6 py-10">{children}</main>
    </div>
  )
}
