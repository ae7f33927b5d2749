import type { ReactNode } from 'react'

export type EmptyStateProps = {
  title: string
  /** Says what the list will show, and how to make the first entry. */
  children?: ReactNode
  action?: ReactNode
}

/** Shown in place of an empty list: what it will contain, and how to begin. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 px-6 py-14 text-center">
      <EmptyCase />
      <h2 className="text-lg font-medium">{title}</h2>
      {children && <div className="max-w-md text-sm text-muted">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

/** A drawing of an empty display case. */
export function EmptyCase() {
  return (
    <svg viewBox="0 0 72 72" className="mb-1 size-16 text-edge" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M16.5 50.5v-36h31v36M16.5 14.5l8-7h31l-8 7m8-7v35l-8 8" />
      <path d="M10.5 50.5h43l9-8M10.5 50.5v14h43v-14m9-8v14l-9 8" />
      <path d="M22 40l14-18" strokeOpacity="0.5" />
      <path d="M22 31l7-9" strokeOpacity="0.5" />
    </svg>
  )
}
