import { unsuspend as unsuspendPlace } from '../../lib/data/abuse/suspend.ts'
import type { Command } from './command.ts'
import { readPlace } from './place.ts'

export const unsuspend: Command = {
  takes: 'organization|collection <id>',
  does: 'lifts its suspension; what waited goes on by itself',
  run: async (worker, [kind, id]) => {
    const ended = await unsuspendPlace(worker, await readPlace(worker, kind, id))
    if (!ended) throw new Error(`The ${kind} ${id} is not suspended.`)
    console.log(`The ${kind} ${id} is not suspended any more.`)
  },
}
