import { Prisma } from '../../../generated/prisma/client.ts'
import { carryOutTogether, type Together } from '../../core/group-commit.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { isTemporary } from '../../db/errors.ts'
import { retryingRaces } from '../../db/retrying-races.ts'
import type { Statement } from '../../db/statements.ts'
import { findSeller, type Seller } from '../../organizations/find-seller.ts'
import type { AnyContext, Context, SystemContext } from '../../platform/auth/context.ts'
import { type ActiveMail, findActiveMail } from '../email-integrations/active-mail.ts'
import type { StoppedMail } from '../email-integrations/find-suppression.ts'
import { findMessageTemplate, type MessageKind } from '../templates/render-message.ts'
import type { MailTemplate } from '../templates/render-mail.ts'

// A worker sends some dozen mails at once. What each of them asks and writes goes out with that of the others, so that
// a mail of a campaign costs a fraction of a statement.

/** More mails than a worker sends at once. */
const MOST_TOGETHER = 100
const MOST_WAITING = 10_000

const MAIL = columns('m', 'OutboxMessage', [
  'id',
  'organizationId',
  'templateType',
  'claimId',
  'campaignId',
  'toEmail',
  'locale',
  'variables',
  'messageId',
  'requestId',
  'attempts',
  'lastError',
  'createdAt',
])
export type WaitingMail = RowOf<typeof MAIL> & {
  suspended: boolean
  triedSince: Date | null
  /** The suppression that stops mail of its organization to its address. null: there is none. */
  stopped: StoppedMail | null
  /** Nobody asked or paid for it, so its reader may refuse it. */
  unasked: boolean
  optedOut: boolean
}

/**
 * When a mail was first tried, or where nobody knows, when it was written; null: never. One of release 0.1.0 that no
 * job handed over isn't tried.
 */
export const TRIED_SINCE =
  'coalesce(m.first_tried_at, CASE WHEN m.attempts > 0 OR m.next_at IS NULL THEN m.created_at END)'

/**
 * Whether nobody asked or paid for a mail of claim `e`, so that its reader may refuse it: a reminder, or the first link
 * of a campaign's gift. Who asked for a PIN wants the gift.
 */
const UNASKED = `coalesce(e.purchase_intent_id IS NULL AND (m.template_type = 'CLAIM_REMINDER'
    OR m.template_type = 'REDEEM_NFT' AND m.campaign_id IS NOT NULL AND e.last_pin_sent_at IS NULL), false)`

const READ: Statement = {
  name: 'mails_to_send',
  text: `SELECT ${MAIL},
      ${TRIED_SINCE} AS "triedSince", coalesce(is_suspended(e.organization_id, e.collection_id), false) AS suspended,
      ${UNASKED} AS unasked, ${UNASKED} AND EXISTS (SELECT 1 FROM mail_opt_outs o
        WHERE o.organization_id = m.organization_id AND o.email = lower(m.to_email)) AS "optedOut",
      s.reason::text AS "stopReason", s.created_at AS "stoppedAt"
    FROM outbox_messages m LEFT JOIN email_claims e ON e.organization_id = m.organization_id AND e.id = m.claim_id
      LEFT JOIN suppressions s ON s.organization_id = m.organization_id AND s.email = lower(m.to_email)
    WHERE m.id = ANY($1::uuid[]) AND m.state = 'PENDING'`,
}

type Row = Omit<WaitingMail, 'stopped'> & { stopReason: StoppedMail['reason'] | null; stoppedAt: Date | null }
type MailWork<T> = { worker: SystemContext; id: string } & T

const together = <T, R>(key: string, work: Together<MailWork<T>, R>['work']): Together<MailWork<T>, R> => ({
  key,
  most: MOST_TOGETHER,
  waiting: MOST_WAITING,
  work,
  isShared: isTemporary,
})

const READING = together<object, WaitingMail | null>('mails to send', async (orders) => {
  const ids = orders.map(({ id }) => id)
  const rows = await orders[0]!.worker.rows<Row>(READ, ids)
  const mails = new Map(
    rows.map(({ stopReason, stoppedAt, ...mail }) => {
      const stopped = stopReason && stoppedAt ? { reason: stopReason, createdAt: stoppedAt } : null
      return [mail.id, { ...mail, stopped }]
    }),
  )
  return ids.map((id) => mails.get(id) ?? null)
})

/** A mail that waits, together with others that are asked for now; null where it doesn't wait any more. */
export const readWaitingMail = (worker: SystemContext, id: string): Promise<WaitingMail | null> =>
  carryOutTogether(READING, { worker, id })

// Rows are locked in the order of their ids.
const BEGINNING = together<object, void>('attempts of mails', async (orders) => {
  const { worker } = orders[0]!
  const ids = orders.map(({ id }) => id)
  await retryingRaces(() =>
    worker.sql(Prisma.sql`
      WITH tried AS MATERIALIZED (SELECT id FROM outbox_messages
          WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE)
      UPDATE outbox_messages m SET attempts = m.attempts + 1,
        first_tried_at = coalesce(${Prisma.raw(TRIED_SINCE)}, ${worker.now().toISOString()}::timestamptz)
      FROM tried WHERE m.id = tried.id`),
  )
  return ids.map(() => undefined)
})

/** Counts an attempt to send a mail. */
export const beginAttempt = (worker: SystemContext, id: string): Promise<void> =>
  carryOutTogether(BEGINNING, { worker, id })

export type Sent = { integrationId: string | null; providerId: string | null }

const RECORDING = together<Sent, void>('sent mails', async (orders) => {
  const { worker } = orders[0]!
  await retryingRaces(() =>
    worker.sql(Prisma.sql`
      WITH sent AS MATERIALIZED (
        SELECT o.id, s.integration_id, s.provider_id
        FROM unnest(${orders.map(({ id }) => id)}::uuid[], ${orders.map(({ integrationId }) => integrationId)}::uuid[],
          ${orders.map(({ providerId }) => providerId)}::text[]) AS s (id, integration_id, provider_id)
        JOIN outbox_messages o ON o.id = s.id ORDER BY o.id FOR NO KEY UPDATE OF o)
      UPDATE outbox_messages m SET state = 'SENT', sent_at = ${worker.now().toISOString()}::timestamptz,
        variables = NULL, last_error = NULL,
        integration_id = sent.integration_id, provider_id = sent.provider_id
      FROM sent WHERE m.id = sent.id`),
  )
  return orders.map(() => undefined)
})

/** Records that a server accepted a mail: the organization's, or (with null) the installation's. */
export const recordSent = (worker: SystemContext, id: string, sent: Sent): Promise<void> =>
  carryOutTogether(RECORDING, { worker, id, ...sent })

/**
 * The part that mails of a kind have in common. `own`: the organization's server, null: the installation's sends them;
 * `seller`: null for the installation's mails.
 */
export type Dispatch = { template: MailTemplate; own: ActiveMail | null; seller: Seller | null }

/**
 * How a mail is sent, read once for all mails of its kind that are about to be. `isOwn`: the organization's server may
 * send it.
 */
export const findDispatch = (ctx: AnyContext, mail: MessageKind, isOwn: boolean): Promise<Dispatch> =>
  carryOutTogether<{ ctx: AnyContext; mail: MessageKind }, Dispatch>(
    {
      key: `mails of ${mail.organizationId} ${mail.campaignId} ${mail.templateType} ${mail.locale}`,
      most: MOST_TOGETHER,
      waiting: MOST_WAITING,
      work: async (orders) => {
        const [first] = orders
        const { organizationId } = first!.mail
        const [seller, own] = await Promise.all([
          organizationId === null ? null : findSeller(first!.ctx, organizationId),
          isOwn ? findActiveMail(first!.ctx as Context) : null,
        ])
        const template = await findMessageTemplate(first!.ctx, first!.mail, seller)
        return orders.map(() => ({ template, own, seller }))
      },
      isShared: () => true,
    },
    { ctx, mail },
  )
