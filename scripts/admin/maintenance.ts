import { maintenanceSince, setMaintenance } from '../../lib/platform/http/maintenance.ts'
import type { Command } from './command.ts'

export const maintenance: Command = {
  takes: 'on|off',
  does: 'begins or ends maintenance: reads go on, nothing is written, the worker finishes what it has begun',
  run: async (worker, [wanted]) => {
    if (wanted === 'on' || wanted === 'off') await setMaintenance(worker, wanted === 'on')
    else if (wanted !== undefined) throw new Error('Say on or off.')
    const since = await maintenanceSince(worker)
    console.log(
      since
        ? `In maintenance since ${since.toISOString()}. Every process knows it within a second; workers finish what they have begun.`
        : 'Not in maintenance.',
    )
  },
}
