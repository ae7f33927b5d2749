import type { ReactElement, ReactNode } from 'react'
import { Link } from './link'
import { ArrowLeft } from 'lucide-react'

export type PageHeaderProps = {
  title: ReactNode
  description?: ReactNode
  /** Beside the title: a StateBadge, for instance. */
  badge?: ReactElement | false | null
  actions?: ReactNode
  back?: { href: string; label: string }
}

/** The page's only h1, with the page's actions on its right. */
export function PageHeader({ title, description, badge, actions, back }: PageHeaderProps) {
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {back && (
        <Link
          href={back.href}
          className="inline-flex w-fit items-center gap-1.5 rounded-sm text-sm text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4 shrink-0" />
          <span className="wrap-anywhere">{back.label}</span>
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 grow basis-72">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="text-2xl font-medium wrap-anywhere">{title}</h1>
            {badge}
          </div>
          {description && <div className="mt-1.5 max-w-2xl text-muted">{description}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </header>
  )
}
