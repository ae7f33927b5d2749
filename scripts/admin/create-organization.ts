import { z } from 'zod'
import { email } from '../../lib/core/wire.ts'
import { createOrganization as create } from '../../lib/organizations/create-organization.ts'
import { organizationName } from '../../lib/platform/api/organizations.ts'
import { createSignInLink } from '../../lib/platform/auth/sign-in.ts'
import type { Command } from './command.ts'
import { optionsOf } from './options.ts'

const options = z.object({ name: organizationName, owner: email })

/**
 * The owner gets no mail: mail may not work yet. Whoever runs this reads the database anyway, so the link gives them
 * nothing new.
 */
export const createOrganization: Command = {
  takes: '--name <name> --owner <email>',
  does: 'makes an organization, and prints a link that signs its owner in once',
  run: async (worker, args) => {
    const { name, owner } = optionsOf(args, options)
    const { organizationId } = await create(worker, { name, owner_email: owner })
    console.log(`Made ${organizationId}. This link signs ${owner} in, once and within 24 hours:`)
    console.log(await createSignInLink(owner, { organizationId }))
  },
}
