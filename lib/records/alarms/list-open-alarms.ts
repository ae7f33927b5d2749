import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'

const MAX_ALARMS = 20

export type OpenAlarm = { id: string; kind: string; subject: string; detail: string; of_kind: number }

/**
 * Open alarms of this organization and those of the whole installation (row-level security lets both through), newest first: the
 * newest three of each kind. `of_kind` is the number of open alarms of that kind.
 */
export async function listOpenAlarms(ctx: Context): Promise<OpenAlarm[]> {
  return ctx.sql<OpenAlarm>(Prisma.sql`
    SELECT id, kind, subject, detail, of_kind FROM (
      SELECT id, kind, subject, detail, count(*) OVER (PARTITION BY kind)::int AS of_kind, row_number() OVER (PARTITION BY kind ORDER BY id DESC) AS place
      FROM alarms WHERE resolved_at IS NULL
    ) open WHERE place <= 3 ORDER BY id DESC LIMIT ${MAX_ALARMS}`)
}
