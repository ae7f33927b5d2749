import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

const MAX_ALARMS = 20

export type OpenAlarm = { id: string; kind: string; subject: string; detail: string; of_kind: number }

const OPEN: Statement = {
  name: 'open_alarms',
  text: `SELECT id::text AS id, kind, subject, detail, of_kind FROM (
      SELECT id, kind, subject, detail, count(*) OVER (PARTITION BY kind)::int AS of_kind,
        row_number() OVER (PARTITION BY kind ORDER BY id DESC) AS place
      FROM alarms WHERE resolved_at IS NULL
    ) open WHERE place <= 3 ORDER BY open.id DESC LIMIT ${MAX_ALARMS}`,
}

/**
 * Open alarms of this organization and those of the whole installation (row-level security lets both through), newest
 * first: the newest three of each kind. `of_kind` is the number of open alarms of that kind.
 */
export const listOpenAlarms = (ctx: Context): Promise<OpenAlarm[]> => ctx.rows<OpenAlarm>(OPEN)
