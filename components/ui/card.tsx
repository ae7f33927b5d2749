import type { ReactNode } from 'react'
import { classes } from './classes'

export type CardProps = {
  title?: ReactNode
  description?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  /** No padding around the content: for tables and lists that bring their own. */
  flush?: boolean
  className?: string
  children?: ReactNode
}

/** A card about one subject, with an optional heading of level 2. */
export function Card({ title, description, actions, flush = false, className, children }: CardProps) {
  return (
    <section className={classes('rounded-lg border bg-pane shadow-rest', className)}>
      {(title || actions) && (
        <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 pt-5 pb-4 sm:px-6">
          <div className="min-w-0">
            {title && <h2 className="text-lg font-medium">{title}</h2>}
            {description && <p className="mt-0.5 text-sm text-muted">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
      )}
      {children !== undefined && (
        <div
          className={classes(
            // Content for screen readers only is placed absolutely: it must scroll with the rest, and not widen the
            // page.
            flush ? 'relative overflow-x-auto rounded-b-lg' : 'px-5 pb-5 sm:px-6 sm:pb-6',
            !flush && !(title || actions) && 'pt-5 sm:pt-6',
          )}
        >
          {children}
        </div>
      )}
    </section>
  )
}
