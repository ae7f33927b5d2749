import { expect } from 'vitest'
import { Prisma } from '../../../generated/prisma/client.ts'
import { verifyRecords } from '../../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../../lib/db/client.ts'
import { systemContext } from '../../../lib/platform/auth/authenticate.ts'
import type { TestChain } from '../../support/chain.ts'
import type { TestOrganization } from '../../support/organization.ts'
import { eventually, type Stage } from './stage.ts'

type Unfinished = { what: string; count: number }

/** What the worker still has to do for an organization, and what failed. */
export const unfinished = ({ id }: TestOrganization): Promise<Unfinished[]> =>
  systemClient().$queryRaw(Prisma.sql`
    SELECT what, count(*)::int AS count FROM (
      SELECT 'transactions ' || state::text AS what FROM transactions WHERE organization_id = ${id}::uuid AND state IN ('PENDING', 'SUBMITTED')
      UNION ALL SELECT 'mint requests ' || state::text FROM mint_requests WHERE organization_id = ${id}::uuid AND state IN ('WAITING', 'SUBMITTED')
      UNION ALL SELECT 'payments ' || state::text FROM payments WHERE organization_id = ${id}::uuid AND state IN ('CREATING', 'CANCELLING', 'REFUNDING')
      UNION ALL SELECT 'mails ' || state::text FROM outbox_messages WHERE organization_id = ${id}::uuid AND state IN ('PENDING', 'HELD', 'FAILED')
      UNION ALL SELECT 'deliveries ' || state::text FROM webhook_deliveries WHERE organization_id = ${id}::uuid AND state <> 'DELIVERED'
      UNION ALL SELECT 'imports' FROM imports WHERE organization_id = ${id}::uuid AND state = 'RUNNING'
      UNION ALL SELECT 'snapshots' FROM snapshots WHERE organization_id = ${id}::uuid AND ready_at IS NULL
      UNION ALL SELECT 'voucher facts' FROM voucher_facts WHERE organization_id = ${id}::uuid
      UNION ALL SELECT 'deleted campaigns' FROM campaigns WHERE organization_id = ${id}::uuid AND deleted_at IS NOT NULL
      UNION ALL SELECT 'failed rows: ' || kind || ': ' || last_error FROM row_tries WHERE organization_id = ${id}::uuid
      UNION ALL SELECT 'alarms: ' || kind || ': ' || detail FROM alarms WHERE organization_id = ${id}::uuid AND resolved_at IS NULL
      UNION ALL SELECT concat_ws(' ', 'jobs', name, last_error) FROM jobs
    ) rows GROUP BY what`)

/** Expects that everything has ended, that every nonce was used once, and that records and chain agree. */
export async function expectSettled({ chain }: Stage, organization: TestOrganization): Promise<void> {
  let left: Unfinished[] = []
  await eventually('The end of all work', async () => {
    left = await unfinished(organization)
    return left.length === 0
  }).catch(() => expect(left).toEqual([]))

  await expectNoNonceGap(chain)
  await eventually('The agreement of records and chain', async () => (await findings()).length === 0).catch(async () =>
    expect(await findings()).toEqual([]),
  )
}

/** Expects that our transactions used every nonce of the operator exactly once. */
export async function expectNoNonceGap({ client, operator }: Pick<TestChain, 'client' | 'operator'>): Promise<void> {
  const sent = await systemClient().transaction.findMany({
    where: { nonce: { not: null } },
    orderBy: { nonce: 'asc' },
    select: { nonce: true },
  })
  expect(sent.map(({ nonce }) => nonce)).toEqual(sent.map((_, at) => at))
  expect(await client.getTransactionCount({ address: operator.address })).toBe(sent.length)
}

export const findings = () => verifyRecords(systemContext('test'))
