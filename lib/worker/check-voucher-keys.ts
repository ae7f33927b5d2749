import type { SystemContext } from '../platform/auth/context.ts'
import { raiseAlarm, resolveAlarm } from '../records/alarms/raise-alarm.ts'

/** How many collections are looked at, the newest. Signing looks at each itself. */
const LOOKED_AT = 500

/**
 * Raises an alarm while the settings don't have the key of a collection's voucher signer, and resolves it when they do.
 */
export async function checkVoucherKeys(worker: SystemContext): Promise<void> {
  const collections = await worker.db.collection.findMany({
    where: { deploymentType: 'PLATFORM', deploymentStatus: 'SUCCESS', signer: { not: null } },
    orderBy: { id: 'desc' },
    take: LOOKED_AT,
    select: { id: true, signer: true },
  })
  const without = collections.filter(
    ({ id, signer }) => !worker.ports.keys.voucherSigners(id).some((own) => own === signer),
  )
  const [first] = without
  if (!first) return resolveAlarm(worker, 'voucher_key_missing', 'vouchers')
  await raiseAlarm(
    worker,
    'voucher_key_missing',
    'vouchers',
    `No voucher is signed for ${without.length} collections: neither VOUCHER_KEY nor SERVER_KEY ` +
      `gives the signer that their contracts know, such as ${first.signer} of collection ${first.id}. ` +
      'Set VOUCHER_KEY to the key it had (docs/keys.md).',
  )
}
