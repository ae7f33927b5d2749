import type { ReactNode } from 'react'
import { type Messages, useTranslations } from 'next-intl'
import { classes } from './classes'

export type Tone = 'neutral' | 'info' | 'positive' | 'warning' | 'danger'

const tones = {
  neutral: 'bg-well text-muted',
  info: 'bg-glass-soft text-glass',
  positive: 'bg-good-soft text-good',
  warning: 'bg-warn-soft text-warn',
  danger: 'bg-bad-soft text-bad',
} satisfies Record<Tone, string>

export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: Tone
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

type Label = keyof Messages['dashboard']['common']['states']

/** Colour and label of each state of the API. A state that is missing here is shown in neutral, by its own name. */
const states: Record<string, { tone: Tone; label: Label; moving?: true }> = {
  PENDING: { tone: 'info', label: 'waiting', moving: true },
  QUEUED: { tone: 'info', label: 'waiting', moving: true },
  SUBMITTED: { tone: 'info', label: 'onItsWay', moving: true },
  MINTING: { tone: 'info', label: 'minting', moving: true },
  COMPLETED: { tone: 'positive', label: 'done' },
  CONFIRMED: { tone: 'positive', label: 'confirmed' },
  SUCCESS: { tone: 'positive', label: 'live' },
  MINTED: { tone: 'positive', label: 'minted' },
  CLAIMED: { tone: 'positive', label: 'claimed' },
  ACTIVE: { tone: 'positive', label: 'active' },
  LOCKED: { tone: 'warning', label: 'locked' },
  UNRESOLVED: { tone: 'warning', label: 'unresolved' },
  EXCEPTION: { tone: 'warning', label: 'exception' },
  EXPIRED: { tone: 'neutral', label: 'expired' },
  REVOKED: { tone: 'neutral', label: 'revoked' },
  REPLACED: { tone: 'neutral', label: 'replaced' },
  CANCELLED: { tone: 'neutral', label: 'cancelled' },
  NOT_STARTED: { tone: 'neutral', label: 'notStarted' },
  NOT_MINTED: { tone: 'neutral', label: 'notMinted' },
  BURNED: { tone: 'neutral', label: 'burned' },
  DRAFT: { tone: 'neutral', label: 'draft' },
  FAILED: { tone: 'danger', label: 'failed' },
  FAILURE: { tone: 'danger', label: 'failed' },
}

const sentence = (state: string) => {
  const words = state.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A state of the API (`PENDING`, `CONFIRMED`, …) with its label. `label` and `tone` override the table. */
export function StateBadge({ state, label, tone }: { state: string; label?: string; tone?: Tone }) {
  const t = useTranslations('dashboard.common.states')
  const known = states[state]
  return (
    <Badge tone={tone ?? known?.tone ?? 'neutral'}>
      <span
        aria-hidden="true"
        className={classes('size-1.5 rounded-full bg-current', known?.moving && 'animate-breathe')}
      />
      <span>{label ?? (known ? t(known.label) : sentence(state))}</span>
    </Badge>
  )
}
