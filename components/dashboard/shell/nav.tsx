'use client'

import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { Link } from '@/components/ui/link'
import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { Menu as MenuIcon } from 'lucide-react'
import { classes } from '@/components/ui/classes'
import { PLACES } from './places'

function Entries() {
  const t = useTranslations('dashboard.shell')
  const path = usePathname()
  return (
    <div className="grid gap-3">
      {PLACES.map(({ title, entries }) => (
        <div key={title ?? 'top'} className="grid gap-0.5">
          {title && <p className="px-3 text-xs font-medium text-muted">{t(`groups.${title}`)}</p>}
          <ul className="grid gap-0.5">
            {entries.map(({ href, name, Icon }) => {
              const current = path === href || (href !== '/dashboard' && path.startsWith(`${href}/`))
              return (
                <li key={href}>
                  <Link
                    href={href}
                    aria-current={current ? 'page' : undefined}
                    className={classes(
                      'flex min-h-10 items-center gap-3 rounded-md px-3 text-sm transition-colors lg:min-h-8',
                      current ? 'bg-glass-soft font-medium text-glass' : 'text-muted hover:bg-well hover:text-ink',
                    )}
                  >
                    <Icon aria-hidden="true" className="size-4.5 shrink-0" />
                    <span>{t(`places.${name}`)}</span>
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** The dashboard's navigation on a wide screen. Scrolls to the current entry. */
export function SideNav() {
  const t = useTranslations('dashboard.shell')
  const nav = useRef<HTMLElement>(null)
  const path = usePathname()
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return (
    <nav ref={nav} aria-label={t('nav')}>
      <Entries />
    </nav>
  )
}

/**
 * The navigation behind a button on a phone. Works before scripts have loaded; Escape closes it and returns the focus.
 */
export function PhoneNav({ children }: { children: ReactNode }) {
  const t = useTranslations('dashboard.shell')
  const details = useRef<HTMLDetailsElement>(null)
  const path = usePathname()
  useEffect(() => {
    if (details.current) details.current.open = false
  }, [path])
  return (
    <details
      ref={details}
      className="group lg:hidden"
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape' || !currentTarget.open) return
        currentTarget.open = false
        currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary
        className={
          'flex min-h-10 list-none items-center gap-2 rounded-md px-2.5 text-sm text-ink ' +
          'hover:bg-well [&::-webkit-details-marker]:hidden'
        }
      >
        <MenuIcon aria-hidden="true" className="size-5" />
        <span>{t('menu')}</span>
      </summary>
      <div
        className={
          'absolute inset-x-0 top-full z-30 grid max-h-[calc(100dvh-3.5rem)] gap-4 overflow-y-auto ' +
          'overscroll-contain border-b bg-pane p-4 shadow-lift'
        }
      >
        <nav aria-label={t('nav')}>
          <Entries />
        </nav>
        <div className="border-t pt-4">{children}</div>
      </div>
    </details>
  )
}
