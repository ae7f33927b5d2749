import type { ReactNode } from 'react'
import { classes } from './classes'

/** Names and values, one line each. */
export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={classes('divide-y text-sm', className)}>{children}</dl>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
