import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { classes } from './classes'

export type Stop = { name: string; hint: string }

/** Progress along a list of stops; those before the current one are done. Reaching the last one completes it. */
export function Stops({ stops, reached }: { stops: readonly Stop[]; reached: number }) {
  const t = useTranslations('common')
  const arrived = reached === stops.length - 1
  return (
    <ol className="grid">
      {stops.map(({ name, hint }, at) => {
        const done = at < reached || arrived
        const current = at === reached && !done
        return (
          <li
            key={name}
            aria-current={at === reached ? 'step' : undefined}
            className="grid grid-cols-[1.75rem_1fr] gap-x-4"
          >
            <span className="grid justify-items-center" aria-hidden="true">
              <span
                className={classes(
                  'grid size-7 place-items-center rounded-full border-2 transition-colors',
                  done && 'border-glass bg-glass text-wall',
                  current && 'border-glass text-glass',
                  !done && !current && 'border-line',
                )}
              >
                {done ? (
                  <Check className="size-4" strokeWidth={2.5} />
                ) : current ? (
                  <span className="size-2.5 animate-breathe rounded-full bg-glass" />
                ) : null}
              </span>
              {at < stops.length - 1 && (
                <span className={classes('min-h-7 w-0.5', at < reached ? 'bg-glass' : 'bg-line')} />
              )}
            </span>
            <span className={classes('pb-5', !done && !current && 'text-muted')}>
              <span className="block leading-7 font-medium">
                <span>{name}</span>
                {done && <span className="sr-only">{t('stepDone')}</span>}
              </span>
              {at === reached && <span className="block text-sm text-muted">{hint}</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
