import type { Command } from './command.ts'

/**
 * One line an organization: id, when it was made, members who have joined, name. Those that wait for approval say so.
 */
export const list: Command = {
  takes: '',
  does: 'lists the organizations',
  run: async (worker) => {
    const organizations = await worker.db.organization.findMany({ orderBy: { id: 'asc' } })
    const members = await worker.db.member.groupBy({
      by: ['organizationId'],
      where: { removedAt: null, joinedAt: { not: null } },
      _count: true,
    })
    const countOf = new Map(members.map(({ organizationId, _count }) => [organizationId, _count]))
    if (organizations.length === 0) console.log('There is no organization yet.')
    for (const { id, name, createdAt, newcomerSince } of organizations)
      console.log(
        `${id}  ${createdAt.toISOString().slice(0, 10)}  ${countOf.get(id) ?? 0} members  ${name}${newcomerSince ? '  (waits for approval)' : ''}`,
      )
  },
}
