import { Prisma } from '../../generated/prisma/client.ts'
import { askOutside } from '../db/ask-outside.ts'
import { inTransaction, type SystemContext } from '../platform/auth/context.ts'
import { findReady, sweep } from '../platform/jobs/sweep.ts'
import { checkedDomain, checkWebDomain } from './web-domain.ts'

const TASK = { kind: 'check web domains', failure: 'The web domain of an organization could not be checked.' } as const
const BATCH = 50

type Due = { id: string; organizationId: string; domain: string }

/** Looks whether the domains that are due still name their organizations. Returns how many were checked. */
export async function checkWebDomains(worker: SystemContext): Promise<number> {
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<Due>(Prisma.sql`
      SELECT id::text, id::text AS "organizationId", web_domain AS domain FROM organizations
      WHERE web_domain_due_at <= ${worker.now().toISOString()}::timestamptz AND web_domain IS NOT NULL
      ORDER BY web_domain_due_at, id LIMIT ${take} OFFSET ${skip}`),
  )
  return sweep(
    worker,
    TASK,
    due,
    async (ctx, { id, domain }) => {
      await askOutside(
        ctx,
        { table: 'organizations', id },
        () => checkWebDomain(ctx.ports, id, domain),
        (answer) =>
          inTransaction(ctx, async (tx) => {
            const check = await answer.take(tx)
            // Not where it was changed meanwhile.
            await tx.db.organization.updateMany({
              where: { id, webDomain: domain },
              data: checkedDomain(check, tx.now(), false),
            })
          }),
      )
    },
    { concurrency: 8 },
  )
}
