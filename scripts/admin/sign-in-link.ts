import { z } from 'zod'
import { email } from '../../lib/core/wire.ts'
import { createSignInLink, isMember, SIGN_IN_SECONDS } from '../../lib/platform/auth/sign-in.ts'
import type { Command } from './command.ts'
import { optionsOf } from './options.ts'

/** For members whom no mail reaches. */
export const signInLink: Command = {
  takes: '--member <email>',
  does: 'prints a link that signs a member in, once and within an hour',
  run: async (_, args) => {
    const { member } = optionsOf(args, z.object({ member: email }))
    if (!(await isMember(member))) throw new Error(`${member} is a member nowhere here, or disabled.`)
    console.log(await createSignInLink(member, { lifetimeSeconds: SIGN_IN_SECONDS }))
  },
}
