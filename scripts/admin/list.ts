import type { Command } from './command.ts'

/** One line an organization: id, when it was made, members who have joined, name. */
export const list: Command = {
  takes: '',
  does: 'lists the organizations',
  run: async (worker) => {
    const organizations = await worker.db.organization.findMany({
      orderBy: { id: 'asc' },
      select: {
        id: true,
        name: true,
        createdAt: true,
        _count: { select: { members: { where: { removedAt: null, joinedAt: { not: null } } } } },
      },
    })
    if (organizations.length === 0) console.log('There is no organization yet.')
    for (const { id, name, createdAt, _count } of organizations)
      console.log(`${id}  ${createdAt.toISOString().slice(0, 10)}  ${_count.members} members  ${name}`)
  },
}
