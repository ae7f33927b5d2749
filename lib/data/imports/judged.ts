import type { ImportRow } from '../../../generated/prisma/client.ts'
import type { TableRow } from './read-table.ts'

/** What is thought of a line before anything is done. */
export type Judged = Pick<ImportRow, 'line' | 'verdict' | 'reasons'> & { fields: Record<string, string> }

export const judged = ({ line, fields }: TableRow, verdict: Judged['verdict'], reasons: string[]): Judged => ({
  line,
  fields,
  verdict,
  reasons: [...new Set(reasons)],
})
