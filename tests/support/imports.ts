import { newId } from '../../lib/core/id.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { ApiResponse, callerOf } from './call.ts'

export const lines = (...all: string[]) => all.join('\n')
export const mailbox = () => `${newId()}@example.com`
export const run = () => runImports(systemContext())

/** What an import says of its lines. */
export const verdicts = ({ body }: ApiResponse) => body.rows.map((row: { verdict: string }) => row.verdict)
export const reasons = ({ body }: ApiResponse, line: number): string =>
  body.rows.find((row: { line: number }) => row.line === line).reasons.join(' ')
export const counts = ({ body }: ApiResponse) => [body.ok_count, body.duplicate_count, body.invalid_count]

/** The rows of an import as they are now. */
export const importRowsOf = async (api: ReturnType<typeof callerOf>, id: string, query = '') =>
  (await api.get(`/v1/imports/${id}/rows?limit=1000${query}`)).body.results as {
    line: number
    state: string
    verdict: string
    result_id: string | null
    failure: string | null
  }[]
