import { parseArgs } from 'node:util'
import { suspend as suspendPlace } from '../../lib/data/abuse/suspend.ts'
import type { Command } from './command.ts'
import { readPlace } from './place.ts'
import { printUndelivered } from './print-undelivered.ts'

export const suspend: Command = {
  takes: 'organization|collection <id> --reason "…"',
  does: 'stops all selling, claiming and minting of it, and lists what was paid',
  run: async (worker, args) => {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { reason: { type: 'string' } } })
    const [kind, id] = positionals
    const place = await readPlace(worker, kind, id)
    const reason = values.reason?.trim()
    if (!reason) throw new Error('Give the reason with --reason "…": its owners read it.')
    const suspension = await suspendPlace(worker, place, reason)
    console.log(suspension ? `The ${kind} ${id} is suspended.` : `The ${kind} ${id} was suspended before.`)
    await printUndelivered(worker, place)
  },
}
