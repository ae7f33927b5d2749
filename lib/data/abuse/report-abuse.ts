import type { ReportSubject } from '../../../generated/prisma/client.ts'
import type { reportAbuse as endpoint } from '../../platform/api/abuse-reports.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import { asDeployed, buyerContext, claimContext, purchaseHolderContext } from '../../platform/auth/authenticate.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { limitDistinct } from '../../platform/http/limit-distinct.ts'
import { tellReport } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { HOUR } from '../../core/clock.ts'
import { AppError, fieldError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { clientNetwork } from '../../core/ip-address.ts'

type Body = Input<typeof endpoint>['body']
type Reported = { type: ReportSubject; id: string; organizationId: string; collectionId: string }

/** How many things one client may report, and how many clients may report one thing. */
const BY_CLIENT = { name: 'reports-by-client', most: 10, seconds: HOUR }
const OF_SUBJECT = { name: 'reports-of-subject', most: 30, seconds: HOUR }

/**
 * Stores a report for the operator, once per client and subject while it is open, with the job that raises the
 * operator's alarm. Of a claim or purchase only its id is stored, not what opened it. Throws `not_found` and
 * `rate_limited`.
 */
export async function reportAbuse(anyone: Context, { subject, reason, detail, email }: Body): Promise<undefined> {
  const { type, id, organizationId, collectionId } = await findReported(anyone, subject)
  const client = clientNetwork(anyone.clientAddress) || 'unknown'
  await limitDistinct(BY_CLIENT, client, `${type} ${id}`)
  await limitDistinct(OF_SUBJECT, `${type} ${id}`, client)
  const reportId = newId()
  return inTransaction(buyerContext(anyone, organizationId), async (tx) => {
    // The role can't read the table, so this returns no row.
    const { count } = await tx.db.abuseReport.createMany({
      data: [
        {
          id: reportId,
          organizationId,
          collectionId,
          subjectType: type,
          subjectId: id,
          reason,
          detail: detail || null,
          email: email ?? null,
          clientNetwork: client,
          createdAt: tx.now(),
        },
      ],
      skipDuplicates: true,
    })
    if (count > 0) await enqueue(tx, tellReport, { report_id: reportId }, { key: reportId })
    return undefined
  })
}

async function findReported(anyone: Context, subject: Body['subject']): Promise<Reported> {
  try {
    return await readReported(anyone, subject)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw fieldError('not_found', 'subject', 'There is nothing to report by this id, token or secret.')
  }
}

async function readReported(anyone: Context, subject: Body['subject']): Promise<Reported> {
  switch (subject.type) {
    case 'CLAIM': {
      const { requestId, clientAddress } = anyone
      const holder = await claimContext(subject.claim_token, { requestId, clientAddress })
      const id = holder.actor.type === 'claim' ? holder.actor.id : ''
      const claim = await holder.db.emailClaim.findFirst({ where: { id }, select: { collectionId: true } })
      return found(subject.type, id, claim && { organizationId: holder.organizationId, ...claim })
    }
    case 'PURCHASE': {
      const holder = await purchaseHolderContext(anyone, subject.id, subject.secret)
      const purchase = await holder.db.purchaseIntent.findFirst({
        where: { id: subject.id },
        select: { listing: { select: { organizationId: true, collectionId: true } } },
      })
      return found(subject.type, subject.id, purchase && purchase.listing)
    }
    case 'LISTING':
    case 'COLLECTION':
    case 'ITEM':
      return found(subject.type, subject.id, await findPublished(asDeployed(anyone), subject))
  }
}

async function findPublished(
  { db }: Context,
  { type, id }: Extract<Body['subject'], { type: 'LISTING' | 'COLLECTION' | 'ITEM' }>,
): Promise<Omit<Reported, 'type' | 'id'> | null> {
  const own = { where: { id }, select: { organizationId: true, collectionId: true } }
  if (type === 'LISTING') return db.listing.findFirst(own)
  if (type === 'ITEM') return db.item.findFirst(own)
  const collection = await db.collection.findFirst({ where: { id }, select: { organizationId: true } })
  return collection && { ...collection, collectionId: id }
}

function found(type: ReportSubject, id: string, owner: Omit<Reported, 'type' | 'id'> | null): Reported {
  if (!owner) throw notFound()
  return { type, id, ...owner }
}
