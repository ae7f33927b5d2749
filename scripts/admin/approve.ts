import { isUuid } from '../../lib/core/id.ts'
import { approveOrganization } from '../../lib/organizations/approve-organization.ts'
import type { Command } from './command.ts'

export const approve: Command = {
  takes: '<organization id>',
  does: 'ends the limits of an organization that signed up by itself',
  run: async (worker, [id = '']) => {
    if (!isUuid(id)) throw new Error('Name the organization by its id: npm run admin -- list shows all.')
    await approveOrganization(worker, id)
    console.log('Approved. It may use all networks, within the limits that hold for everybody.')
  },
}
