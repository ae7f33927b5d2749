import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Network } from '../../ports/chain/chain.ts'

/**
 * Tells of collections that promise no units since vouchers of theirs may be missing in the books, for as long as there
 * are some.
 */
export async function checkPromises(worker: SystemContext, { id: networkId, name }: Network): Promise<void> {
  const where = { networkId, promisesFrom: { gt: worker.now() } }
  const last = await worker.db.collection.findFirst({ where, orderBy: { promisesFrom: 'desc' } })
  const subject = `promises ${networkId}`
  if (!last) return resolveAlarm(worker, 'books_behind', subject)
  const count = await worker.db.collection.count({ where })
  await raiseAlarm(
    worker,
    'books_behind',
    subject,
    `${count} collections on ${name}, ${last.id} among them, promise no units until ` +
      `${last.promisesFrom!.toISOString()}: vouchers that the books don’t know may be valid until then. ` +
      'Who knows that none was signed since the backup ends that with npm run restore -- --promise ' +
      '<collection id>, or --promise all.',
  )
}
