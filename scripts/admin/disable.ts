import { z } from 'zod'
import { email } from '../../lib/core/wire.ts'
import { disablePerson, enablePerson } from '../../lib/members/disable-person.ts'
import type { Command } from './command.ts'
import { optionsOf } from './options.ts'

const options = z.object({ member: email })
const placesOf = (organizations: string[]): string =>
  organizations.length === 0 ? 'a member nowhere' : `a member of ${organizations.join(', ')}`

export const disable: Command = {
  takes: '--member <email>',
  does: 'keeps a person out: ends their sessions, revokes their API keys, lets them sign in no more',
  run: async (worker, args) => {
    const { member } = optionsOf(args, options)
    const { organizations } = await disablePerson(worker, member)
    console.log(`${member} is kept out (${placesOf(organizations)}).`)
  },
}

export const enable: Command = {
  takes: '--member <email>',
  does: 'lets a disabled person sign in again; their API keys stay revoked',
  run: async (worker, args) => {
    const { member } = optionsOf(args, options)
    const { organizations } = await enablePerson(worker, member)
    console.log(`${member} may sign in again (${placesOf(organizations)}).`)
  },
}
