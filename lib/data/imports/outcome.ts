import type { ImportRow } from '../../../generated/prisma/client.ts'

/** A line that waits. */
export type Line = { line: number; fields: Record<string, string> }

export type Outcome = Pick<ImportRow, 'line'> &
  (
    | { state: 'DONE'; resultId: string; failure?: undefined }
    | { state: 'FAILED' | 'SKIPPED'; failure: string; resultId?: undefined }
  )
