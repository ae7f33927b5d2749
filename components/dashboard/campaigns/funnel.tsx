import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'next-intl'

type Figures = Record<
  | 'created'
  | 'sent'
  | 'delivered'
  | 'bounced'
  | 'opened'
  | 'pin_asked'
  | 'claimed'
  | 'expired'
  | 'revoked'
  | 'reminded',
  bigint
>

const STEPS = ['sent', 'opened', 'pin_asked', 'claimed'] as const satisfies readonly (keyof Figures)[]

/** The claims of a campaign by step: bar, count and share of all. */
export function Funnel({ figures, unsubscribed }: { figures: Figures; unsubscribed: bigint }) {
  const t = useTranslations('dashboard.campaigns.funnel')
  const locale = useLocale()
  const all = Number(figures.created)
  return (
    <div className="grid gap-6">
      <ol className="grid gap-4">
        {STEPS.map((name) => {
          const many = Number(figures[name])
          const percent = percentOf(many, all)
          return (
            <li key={name} className="grid gap-1.5">
              <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
                <span>
                  <span className="font-medium">{t(name)}</span>{' '}
                  <span className="text-sm text-muted max-sm:sr-only">{t(`${name}Hint`)}</span>
                </span>
                <span className="tabular-nums">
                  <span className="text-lg font-medium">{many.toLocaleString(locale)}</span>{' '}
                  <span className="text-sm text-muted">{percent === null ? '–' : t('share', { percent })}</span>
                </span>
              </p>
              <svg
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="h-3 w-full overflow-hidden rounded-sm bg-well"
              >
                <rect width={all === 0 ? 0 : (many / all) * 100} height="4" className="fill-glass" />
              </svg>
            </li>
          )
        })}
      </ol>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t pt-5 sm:grid-cols-3 lg:grid-cols-7">
        <Beside name={t('created')} many={figures.created} />
        <Beside name={t('delivered')} many={figures.delivered} />
        <Beside name={t('bounced')} many={figures.bounced} />
        <Beside name={t('reminded')} many={figures.reminded} />
        <Beside name={t('unsubscribed')} many={unsubscribed} />
        <Beside name={t('expired')} many={figures.expired} />
        <Beside name={t('revoked')} many={figures.revoked} />
      </dl>
    </div>
  )
}

function Beside({ name, many }: { name: ReactNode; many: bigint }) {
  const locale = useLocale()
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-lg font-medium tabular-nums">{many.toLocaleString(locale)}</dd>
    </div>
  )
}

/** A rounded percentage: 3 of 8 is 38; null of none. */
export const percentOf = (many: number, all: number): number | null =>
  all === 0 ? null : Math.round((many / all) * 100)
