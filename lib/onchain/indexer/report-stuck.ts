import { log } from '../../core/log.ts'
import { within, type SystemContext } from '../../platform/auth/context.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'

/** Says that a collection's logs can't be entered, in the log and in an alarm. */
export async function reportStuck(
  tx: SystemContext,
  organizationId: string,
  collectionId: string,
  error: unknown,
): Promise<void> {
  log.error({ error, collectionId }, 'The logs of a collection can’t be entered.')
  await within(tx, organizationId, (own) =>
    raiseAlarm(
      own,
      'indexing_stuck',
      collectionId,
      'The logs of this collection can’t be entered. They are tried again and again; ' +
        'the service’s log says why they fail.',
    ),
  )
}
