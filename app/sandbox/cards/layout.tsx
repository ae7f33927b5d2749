import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { FlaskConical } from 'lucide-react'

export const metadata: Metadata = { title: 'Sandbox', robots: { index: false, follow: false }, referrer: 'no-referrer' }

/** The pages of the built-in card provider. They look different from ours, as a real provider's would. */
export default function SandboxLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-lg flex-col justify-center px-5 py-10">
      <header className="mb-5 flex items-center gap-2 text-sm text-muted">
        <FlaskConical aria-hidden="true" className="size-4" />
        Built-in card provider, for tests only
      </header>
      <main className="rounded-lg border bg-pane p-6 shadow-lift sm:p-8">{children}</main>
    </div>
  )
}
