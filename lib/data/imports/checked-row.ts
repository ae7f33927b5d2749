import type { ImportRow } from '../../../generated/prisma/client.ts'
import type { TableRow } from './read-table.ts'

/** A line with its verdict, before anything is imported. */
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
