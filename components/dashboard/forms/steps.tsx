import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { Check, Circle, X } from 'lucide-react'
import { classes } from '@/components/ui/classes'
import { Spinner } from '@/components/ui/spinner'
import { RelativeTime } from '@/components/ui/relative-time'

export type Step = { name: string; state: 'done' | 'now' | 'todo' | 'failed'; at?: Date | null; note?: ReactNode }

/** Past, current and coming steps, one line each. */
export function Steps({ label, steps }: { label: string; steps: Step[] }) {
  const t = useTranslations('dashboard.common.steps')
  return (
    <ol aria-label={label} className="grid">
      {steps.map(({ name, state, at, note }, index) => (
        <li
          key={name}
          aria-current={state === 'now' ? 'step' : undefined}
          className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3"
        >
          <span className="flex flex-col items-center">
            <Mark state={state} />
            {index < steps.length - 1 && (
              <span className={classes('w-px grow', state === 'done' ? 'bg-glass' : 'bg-line')} />
            )}
          </span>
          <div className={classes(index < steps.length - 1 && 'pb-5')}>
            <p className={classes('min-h-7 content-center', state === 'todo' ? 'text-muted' : 'font-medium')}>
              <span>{name}</span>
              <span className="sr-only">{`. ${t(state)}.`}</span>
            </p>
            {(note || at) && (
              <div className="text-sm text-muted">
                {note && <span>{note}</span>}
                {at && (
                  <span>
                    {' '}
                    <RelativeTime at={at} />
                  </span>
                )}
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Mark({ state }: { state: Step['state'] }) {
  const frame = 'grid size-7 place-items-center rounded-full'
  switch (state) {
    case 'done':
      return (
        <span aria-hidden="true" className={classes(frame, 'bg-glass-soft text-glass')}>
          <Check className="size-4" />
        </span>
      )
    case 'now':
      return (
        <span aria-hidden="true" className={classes(frame, 'text-glass')}>
          <Spinner />
        </span>
      )
    case 'failed':
      return (
        <span aria-hidden="true" className={classes(frame, 'bg-bad-soft text-bad')}>
          <X className="size-4" />
        </span>
      )
    case 'todo':
      return (
        <span aria-hidden="true" className={classes(frame, 'text-edge')}>
          <Circle className="size-3" />
        </span>
      )
  }
}
