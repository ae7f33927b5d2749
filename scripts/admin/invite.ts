import { z } from 'zod'
import { env } from '../../lib/core/env.ts'
import { email, uuid } from '../../lib/core/wire.ts'
import { createMember } from '../../lib/members/create-member.ts'
import { ROLES } from '../../lib/platform/api/permissions.ts'
import { within } from '../../lib/platform/auth/context.ts'
import { createSignInLink } from '../../lib/platform/auth/sign-in.ts'
import type { Command } from './command.ts'
import { optionsOf } from './options.ts'

const options = z.object({ organization: uuid, email, role: z.enum(ROLES) })

/** Without a mail server the invitation's mail waits in the outbox, so its link is printed. */
export const invite: Command = {
  takes: '--organization <id> --email <email> --role <role>',
  does: 'invites somebody (OWNER, ADMIN, EDITOR or VIEWER)',
  run: async (worker, args) => {
    const { organization, email: address, role } = optionsOf(args, options)
    if (!(await worker.db.organization.findUnique({ where: { id: organization } })))
      throw new Error(`There is no organization ${organization}. npm run admin -- list shows all.`)
    await within(worker, organization, (ctx) => createMember(ctx, { email: address, role }))
    if (env.SMTP_URL) return console.log(`An invitation is on its way to ${address}.`)
    console.log(`SMTP_URL isn’t set, so nothing is mailed. This link signs ${address} in, once and within 24 hours:`)
    console.log(await createSignInLink(address, { organizationId: organization }))
  },
}
