import { parseArgs } from 'node:util'
import { closeReport } from '../../lib/data/abuse/close-report.ts'
import { isUuid } from '../../lib/core/id.ts'
import type { SystemContext } from '../../lib/platform/auth/context.ts'
import type { Command } from './command.ts'

const MOST = 200

export const reports: Command = {
  takes: '[close <id> [--note "…"]]',
  does: 'lists the open reports about abuse, or closes one',
  run: async (worker, args) => {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { note: { type: 'string' } } })
    const [verb, id] = positionals
    if (verb === undefined) return listReports(worker)
    if (verb !== 'close' || !id || !isUuid(id)) throw new Error('Close a report with: reports close <id> [--note "…"].')
    if (!(await closeReport(worker, id, values.note?.trim() || null))) throw new Error(`No report ${id} is open.`)
    console.log(`The report ${id} is closed.`)
  },
}

/**
 * The newest ones. What strangers wrote is printed as JSON, so that it can't pass for other output or control the
 * terminal.
 */
async function listReports({ db }: SystemContext): Promise<void> {
  const where = { closedAt: null }
  const rows = await db.abuseReport.findMany({ where, orderBy: { id: 'desc' }, take: MOST })
  const organizations = await db.organization.findMany({
    where: { id: { in: [...new Set(rows.map(({ organizationId }) => organizationId))] } },
    select: { id: true, name: true },
  })
  const names = new Map(organizations.map(({ id, name }) => [id, name]))
  if (rows.length === 0) console.log('No report is open.')
  for (const row of rows) {
    console.log(
      `${row.id}  ${row.createdAt.toISOString()}  ${row.reason}  ${row.subjectType.toLowerCase()} ${row.subjectId}`,
    )
    console.log(
      `  organization ${row.organizationId} ${JSON.stringify(names.get(row.organizationId) ?? '')}, collection ${row.collectionId}`,
    )
    if (row.detail) console.log(`  says ${JSON.stringify(row.detail)}`)
    if (row.email) console.log(`  answer to ${row.email}`)
  }
  const open = await db.abuseReport.count({ where })
  if (open > rows.length) console.log(`And ${open - rows.length} older ones.`)
}
