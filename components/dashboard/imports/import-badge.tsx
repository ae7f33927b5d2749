import { useTranslations } from 'next-intl'
import { Badge, StateBadge } from '@/components/ui/badge'
import { type IMPORT_STATES, type ROW_STATES, VERDICT_TONES } from './import-labels'

type ImportState = (typeof IMPORT_STATES)[number]
type RowState = (typeof ROW_STATES)[number]

const LOOKS = {
  JUDGED: 'DRAFT',
  RUNNING: 'SUBMITTED',
  COMPLETED: 'COMPLETED',
  CANCELLED: 'CANCELLED',
} as const satisfies Record<ImportState, string>

/** An import's state. */
export function ImportBadge({ state }: { state: ImportState }) {
  const t = useTranslations('dashboard.imports.states')
  return <StateBadge state={LOOKS[state]} label={t(state)} />
}

/** How far an import is that runs: a bar, and its figures. */
export function ImportProgress({ done, failed, all }: { done: number; failed: number; all: number }) {
  const t = useTranslations('dashboard.imports')
  const ended = done + failed
  const percent = Math.floor((ended / Math.max(1, all)) * 100)
  return (
    <span className="grid min-w-28 gap-1">
      <progress value={ended} max={Math.max(1, all)} aria-label={t('progress')} className="h-2 w-full accent-glass" />
      <span className="figures text-sm text-muted">{t('progressOf', { done: ended, all, percent })}</span>
    </span>
  )
}

/** The verdict of a line's validation. */
export function VerdictBadge({ verdict }: { verdict: keyof typeof VERDICT_TONES }) {
  const t = useTranslations('dashboard.imports.verdicts')
  return <Badge tone={VERDICT_TONES[verdict]}>{t(verdict)}</Badge>
}

const ROW_LOOKS = {
  WAITING: 'PENDING',
  DONE: 'COMPLETED',
  FAILED: 'FAILED',
  SKIPPED: 'CANCELLED',
} as const satisfies Record<RowState, string>

/** Whether a line was imported. */
export function RowBadge({ state }: { state: RowState }) {
  const t = useTranslations('dashboard.imports.rows')
  return <StateBadge state={ROW_LOOKS[state]} label={t(state)} />
}
