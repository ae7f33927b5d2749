import type { ReactNode } from 'react'
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

/** Colour and label of each state of the API. A state that is missing here is shown in neutral, by its own name. */
const states: Record<string, { tone: Tone; label: string; moving?: true }> = {
  PENDING: { tone: 'info', label: 'Waiting', moving: true },
  QUEUED: { tone: 'info', label: 'Waiting', moving: true },
  SUBMITTED: { tone: 'info', label: 'On its way', moving: true },
  MINTING: { tone: 'info', label: 'Minting', moving: true },
  COMPLETED: { tone: 'positive', label: 'Done' },
  CONFIRMED: { tone: 'positive', label: 'Confirmed' },
  SUCCESS: { tone: 'positive', label: 'Live' },
  MINTED: { tone: 'positive', label: 'Minted' },
  CLAIMED: { tone: 'positive', label: 'Claimed' },
  ACTIVE: { tone: 'positive', label: 'Active' },
  LOCKED: { tone: 'warning', label: 'Locked' },
  UNRESOLVED: { tone: 'warning', label: 'Unresolved' },
  EXCEPTION: { tone: 'warning', label: 'Needs attention' },
  EXPIRED: { tone: 'neutral', label: 'Expired' },
  REVOKED: { tone: 'neutral', label: 'Revoked' },
  REPLACED: { tone: 'neutral', label: 'Replaced' },
  CANCELLED: { tone: 'neutral', label: 'Cancelled' },
  NOT_STARTED: { tone: 'neutral', label: 'Not started' },
  NOT_MINTED: { tone: 'neutral', label: 'Not minted' },
  BURNED: { tone: 'neutral', label: 'Burned' },
  DRAFT: { tone: 'neutral', label: 'Draft' },
  FAILED: { tone: 'danger', label: 'Failed' },
  FAILURE: { tone: 'danger', label: 'Failed' },
}

const sentence = (state: string) => {
  const words = state.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A state of the API (`PENDING`, `CONFIRMED`, …) with its label. `label` and `tone` override the table. */
export function StateBadge({ state, label, tone }: { state: string; label?: string; tone?: Tone }) {
  const known = states[state]
  return (
    <Badge tone={tone ?? known?.tone ?? 'neutral'}>
      <span
        aria-hidden="true"
        className={classes('size-1.5 rounded-full bg-current', known?.moving && 'animate-breathe')}
      />
      {label ?? known?.label ?? sentence(state)}
    </Badge>
  )
}
