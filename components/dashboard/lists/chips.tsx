import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { classes } from '@/components/ui/classes'

/** A choice between several links that set a query parameter. */
export function Chips({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1">
      {children}
    </nav>
  )
}

export function Chip({ href, current, children }: { href: string; current: boolean; children: ReactNode }) {
  return (
    <Link
      href={href}
      scroll={false}
      aria-current={current ? 'true' : undefined}
      className={classes(
        'inline-flex min-h-8 items-center rounded-md px-3 text-sm',
        current ? 'bg-glass-soft font-medium text-glass' : 'text-muted hover:bg-well hover:text-ink',
      )}
    >
      {children}
    </Link>
  )
}
