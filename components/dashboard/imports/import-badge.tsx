import { Badge, StateBadge } from '@/components/ui/badge'
import { wordsFor } from '../forms/choice'
import { IMPORT_STATES, ROW_STATES, VERDICTS, VERDICT_TONES } from './import-labels'

const LOOKS = { JUDGED: 'DRAFT', RUNNING: 'SUBMITTED', COMPLETED: 'COMPLETED', CANCELLED: 'CANCELLED' } as const

/** An import's state. */
export const ImportBadge = ({ state }: { state: keyof typeof LOOKS }) => (
  <StateBadge state={LOOKS[state]} label={wordsFor(IMPORT_STATES, state)} />
)

/** How far an import is that runs: a bar, and its figures. */
export function ImportProgress({ done, failed, all }: { done: number; failed: number; all: number }) {
  const ended = done + failed
  return (
    <span className="grid min-w-28 gap-1">
      <progress value={ended} max={Math.max(1, all)} aria-label="Progress" className="h-2 w-full accent-glass" />
      <span className="figures text-sm text-muted">
        {ended.toLocaleString('en')} of {all.toLocaleString('en')} ({Math.floor((ended / Math.max(1, all)) * 100)} %)
      </span>
    </span>
  )
}

/** The verdict of a line's validation. */
export const VerdictBadge = ({ verdict }: { verdict: string }) => (
  <Badge tone={VERDICT_TONES[verdict] ?? 'neutral'}>{wordsFor(VERDICTS, verdict)}</Badge>
)

const ROW_LOOKS: Record<string, string> = {
  WAITING: 'PENDING',
  DONE: 'COMPLETED',
  FAILED: 'FAILED',
  SKIPPED: 'CANCELLED',
}

/** Whether a line was imported. */
export const RowBadge = ({ state }: { state: string }) => (
  <StateBadge state={ROW_LOOKS[state] ?? state} label={wordsFor(ROW_STATES, state)} />
)
