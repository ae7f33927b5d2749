import { Badge, StateBadge } from '@/components/ui/badge'
import { wordsFor } from '../forms/choice'
import { IMPORT_STATES, ROW_STATES, VERDICTS, VERDICT_TONES } from './import-words'

const LOOKS = { JUDGED: 'DRAFT', RUNNING: 'SUBMITTED', COMPLETED: 'COMPLETED', CANCELLED: 'CANCELLED' } as const

/** How far an import is. */
export const ImportBadge = ({ state }: { state: keyof typeof LOOKS }) => (
  <StateBadge state={LOOKS[state]} label={wordsFor(IMPORT_STATES, state)} />
)

/** What is thought of a line. */
export const VerdictBadge = ({ verdict }: { verdict: string }) => (
  <Badge tone={VERDICT_TONES[verdict] ?? 'neutral'}>{wordsFor(VERDICTS, verdict)}</Badge>
)

const ROW_LOOKS: Record<string, string> = {
  WAITING: 'PENDING',
  DONE: 'COMPLETED',
  FAILED: 'FAILED',
  SKIPPED: 'CANCELLED',
}

/** What became of a line. */
export const RowBadge = ({ state }: { state: string }) => (
  <StateBadge state={ROW_LOOKS[state] ?? state} label={wordsFor(ROW_STATES, state)} />
)
