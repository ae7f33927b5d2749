import type { ImportRow } from '../../../generated/prisma/client.ts'
import type { TableRow } from './read-table.ts'

/** What is thought of a line before anything is done. */
export type CheckedRow = Pick<ImportRow, 'line' | 'verdict' | 'reasons'> & { fields: Record<string, string> }

export const checkedRow = (
  { line, fields }: TableRow,
  verdict: CheckedRow['verdict'],
  reasons: string[],
): CheckedRow => ({
  line,
  fields,
  verdict,
  reasons: [...new Set(reasons)],
})
