import type { ReactNode } from 'react'

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

const STEPS = [
  ['sent', 'Sent', 'A mail with the link left.'],
  ['opened', 'Opened', 'A person opened the link.'],
  ['pin_asked', 'Asked for the PIN', 'They started to claim it.'],
  ['claimed', 'Claimed', 'They received the item.'],
] as const satisfies readonly (readonly [keyof Figures, string, string])[]

/** The claims of a campaign by step: bar, count and share of all. */
export function Funnel({ figures, unsubscribed }: { figures: Figures; unsubscribed: bigint }) {
  const all = Number(figures.created)
  return (
    <div className="grid gap-6">
      <ol className="grid gap-4">
        {STEPS.map(([name, label, hint]) => {
          const many = Number(figures[name])
          return (
            <li key={name} className="grid gap-1.5">
              <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
                <span>
                  <span className="font-medium">{label}</span>{' '}
                  <span className="text-sm text-muted max-sm:sr-only">{hint}</span>
                </span>
                <span className="tabular-nums">
                  <span className="text-lg font-medium">{many.toLocaleString('en')}</span>{' '}
                  <span className="text-sm text-muted">{shareOf(many, all)}</span>
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
        <Beside name="Claims in all" many={figures.created} />
        <Beside name="Reported as arrived" many={figures.delivered} />
        <Beside name="Bounced" many={figures.bounced} />
        <Beside name="Reminded" many={figures.reminded} />
        <Beside name="Unsubscribed" many={unsubscribed} />
        <Beside name="Expired" many={figures.expired} />
        <Beside name="Revoked" many={figures.revoked} />
      </dl>
    </div>
  )
}

function Beside({ name, many }: { name: ReactNode; many: bigint }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-lg font-medium tabular-nums">{many.toLocaleString('en')}</dd>
    </div>
  )
}

/** A rounded percentage: 3 of 8 is 38 %. */
export const shareOf = (many: number, all: number): string => (all === 0 ? '–' : `${Math.round((many / all) * 100)} %`)
