'use client'

import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Blocks, Camera, CreditCard, FileSpreadsheet, Frame, House, Image, KeyRound, LayoutGrid, Mail, Megaphone, Menu as MenuIcon, ScrollText, Settings, Shapes, ShoppingBag, Stamp, Tag, Users, Webhook } from 'lucide-react'
import { classes } from '@/components/ui/classes'

const groups = [
  { title: null, entries: [{ href: '/dashboard', label: 'Overview', Icon: House }] },
  {
    title: 'Make',
    entries: [
      { href: '/dashboard/collections', label: 'Collections', Icon: LayoutGrid },
      { href: '/dashboard/items', label: 'Items', Icon: Frame },
      { href: '/dashboard/item-types', label: 'Item types', Icon: Shapes },
      { href: '/dashboard/media', label: 'Media', Icon: Image },
    ],
  },
  {
    title: 'Sell',
    entries: [
      { href: '/dashboard/listings', label: 'Listings', Icon: Tag },
      { href: '/dashboard/purchases', label: 'Purchases', Icon: ShoppingBag },
      { href: '/dashboard/payments', label: 'Payments', Icon: CreditCard },
      { href: '/dashboard/snapshots', label: 'Snapshots', Icon: Camera },
    ],
  },
  {
    title: 'Give',
    entries: [
      { href: '/dashboard/claims', label: 'Email claims', Icon: Mail },
      { href: '/dashboard/campaigns', label: 'Campaigns', Icon: Megaphone },
      { href: '/dashboard/imports', label: 'Imports and exports', Icon: FileSpreadsheet },
    ],
  },
  {
    title: 'Deliver',
    entries: [
      { href: '/dashboard/mint-requests', label: 'Mint requests', Icon: Stamp },
      { href: '/dashboard/transactions', label: 'Transactions', Icon: Blocks },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { href: '/dashboard/members', label: 'Members', Icon: Users },
      { href: '/dashboard/api-keys', label: 'API keys', Icon: KeyRound },
      { href: '/dashboard/webhooks', label: 'Webhooks', Icon: Webhook },
      { href: '/dashboard/audit', label: 'Audit log', Icon: ScrollText },
      { href: '/dashboard/settings', label: 'Settings', Icon: Settings },
    ],
  },
] as const

function Entries() {
  const path = usePathname()
  return (
    <div className="grid gap-4">
      {groups.map(({ title, entries }) => (
        <div key={title ?? 'top'} className="grid gap-1">
          {title && <p className="px-3 text-xs font-medium text-muted">{title}</p>}
          <ul className="grid gap-0.5">
            {entries.map(({ href, label, Icon }) => {
              const current = path === href || (href !== '/dashboard' && path.startsWith(`${href}/`))
              return (
                <li key={href}>
                  <Link
                    href={href}
                    aria-current={current ? 'page' : undefined}
                    className={classes(
                      'flex min-h-9 items-center gap-3 rounded-md px-3 text-sm transition-colors',
                      current ? 'bg-glass-soft font-medium text-glass' : 'text-muted hover:bg-well hover:text-ink',
                    )}
                  >
                    <Icon aria-hidden="true" className="size-4.5 shrink-0" />
                    {label}
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

/** The rooms of the dashboard, at the side of a wide screen. */
export function SideNav() {
  return (
    <nav aria-label="Dashboard">
      <Entries />
    </nav>
  )
}

/** The same behind one button on a phone. It works before the script has arrived, too. */
export function PhoneNav({ children }: { children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null)
  const path = usePathname()
  useEffect(() => {
    if (details.current) details.current.open = false
  }, [path])
  return (
    <details ref={details} className="group lg:hidden">
      <summary className="flex min-h-10 list-none items-center gap-2 rounded-md px-2.5 text-sm text-ink hover:bg-well [&::-webkit-details-marker]:hidden">
        <MenuIcon aria-hidden="true" className="size-5" />
        Menu
      </summary>
      <div className="absolute inset-x-0 top-full z-30 grid gap-4 border-b bg-pane p-4 shadow-lift">
        <nav aria-label="Dashboard">
          <Entries />
        </nav>
        <div className="border-t pt-4">{children}</div>
      </div>
    </details>
  )
}
