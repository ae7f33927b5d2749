import type { ReactNode } from 'react'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { classes } from './classes'

type AlertTone = 'info' | 'positive' | 'warning' | 'danger'

const looks = {
  info: { className: 'bg-well text-glass', Icon: Info },
  positive: { className: 'bg-good-soft text-good', Icon: CircleCheck },
  warning: { className: 'bg-warn-soft text-warn', Icon: TriangleAlert },
  danger: { className: 'bg-bad-soft text-bad', Icon: CircleAlert },
} satisfies Record<AlertTone, unknown>

export type AlertProps = {
  tone?: AlertTone
  title?: ReactNode
  /** Set when the alert appears in response to an action, so that it is announced. */
  live?: boolean
  action?: ReactNode
  className?: string
  children?: ReactNode
}

export function Alert({ tone = 'info', title, live = false, action, className, children }: AlertProps) {
  const { className: look, Icon } = looks[tone]
  return (
    <div
      role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}
      className={classes('flex gap-3 rounded-md px-4 py-3 text-sm', look, className)}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 grow">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="text-ink">{children}</div>}
        {action && <div className="mt-2.5 flex flex-wrap gap-2 text-ink">{action}</div>}
      </div>
    </div>
  )
}
