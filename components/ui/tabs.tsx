'use client'

import type { ReactNode } from 'react'
import { Link } from './link'
import { usePathname } from 'next/navigation'
import { classes } from './classes'

export type NavTab = { href: string; label: ReactNode; /** Also current on pages below it. */ deep?: boolean }

/** Tabs that are separate pages, each with its own URL. */
export function NavTabs({ label, tabs }: { label: string; tabs: NavTab[] }) {
  const path = usePathname()
  return (
    <nav aria-label={label} className="-mx-1 flex gap-1 overflow-x-auto border-b px-1">
      {tabs.map((tab) => {
        const current = path === tab.href || (tab.deep && path.startsWith(`${tab.href}/`))
        return (
          <Link
            key={tab.href}
            href={tab.href}
            aria-current={current ? 'page' : undefined}
            className={classes(
              '-mb-px border-b-2 px-3 py-2.5 text-sm font-medium whitespace-nowrap transition-colors',
              current ? 'border-glass text-ink' : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {tab.label}
          </Link>
        )
      })}
    </nav>
  )
}
