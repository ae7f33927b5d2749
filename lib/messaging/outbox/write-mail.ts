import { type AnyContext, type Context, inTransaction, organizationIdOf } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import { DEFAULT_LOCALE, type Locale } from '../../core/locales.ts'
import { writeIn } from '../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import type { TemplateType, TemplateVariables } from '../templates/mail-variables.ts'
import { spendMailQuota } from './mail-quota.ts'
import { sealVariables, URGENT_MAIL } from './outbox.ts'

export type NewMail<T extends TemplateType = TemplateType> = {
  [K in T]: {
    templateType: K
    to: string
    variables: TemplateVariables[K]
    claimId?: string | undefined
    campaignId?: string | null | undefined
    /** The language of its variables and of the template that is chosen for it; English unless given. */
    locale?: Locale | undefined
    /** It leaves then; at once where this is missing or past. */
    notBefore?: Date | null | undefined
    /** It follows from an earlier mail of its claim, and fails for no quota. */
    isFollowUp?: boolean
    /** The request that it is due to; the caller's own unless given. */
    requestId?: string | undefined
  }
}[T]

const INSERT: Statement = {
  name: 'insert_mails',
  text: `INSERT INTO outbox_messages (id, organization_id, template_type, claim_id, campaign_id, to_email, variables,
      message_id, urgent, locale, request_id, next_at, created_at)
    SELECT m.id, m.organization_id, m.template_type, m.claim_id, m.campaign_id, m.to_email,
      decode(m.variables, 'base64'), m.message_id,
      m.urgent, m.locale, m.request_id, greatest(m.next_at, m.created_at), m.created_at
    FROM jsonb_to_recordset($1::jsonb) AS m (id uuid, organization_id uuid, template_type text, claim_id uuid,
      campaign_id uuid, to_email text, variables text, message_id text, urgent boolean, locale text, request_id text,
      next_at timestamptz, created_at timestamptz)`,
}

/**
 * Writes a mail to the outbox in the transaction of its cause; the worker sends it. Its Message-ID never changes
 * afterwards.
 */
export const writeMail = async (ctx: AnyContext, order: NewMail): Promise<{ id: string }> => ({
  id: (await writeMails(ctx, [order]))[0]!,
})

/**
 * Like `writeMail`, for many mails of one organization. Returns their ids, in order. Throws what `spendMailQuota`
 * throws.
 */
export const writeMails = (ctx: AnyContext, orders: readonly NewMail[]): Promise<string[]> =>
  inTransaction(ctx, async (tx) => {
    if (tx.sees === 'organization') await spendMailQuota(tx, orders)
    const { ids, calls } = mailsCalls(tx, organizationIdOf(tx), orders)
    await writeIn(tx, ...calls)
    return ids
  })

/** The statements that write many mails. The quota is the caller's to spend. */
export function mailsCalls(
  { ports, now, requestId }: Pick<Context, 'ports' | 'now' | 'requestId'>,
  organizationId: string | null,
  orders: readonly NewMail[],
): { ids: string[]; calls: Call[] } {
  const host = new URL(ports.addresses.origin).hostname
  const rows = orders.map(({ templateType, to, variables, claimId, campaignId, locale, notBefore, ...order }) => {
    const id = newId()
    return {
      id,
      organization_id: organizationId,
      template_type: templateType,
      claim_id: claimId ?? null,
      campaign_id: campaignId ?? null,
      to_email: to,
      variables: Buffer.from(sealVariables(id, variables)).toString('base64'),
      message_id: `<${id}@${host}>`,
      locale: locale ?? DEFAULT_LOCALE,
      urgent: URGENT_MAIL.includes(templateType),
      request_id: order.requestId ?? requestId,
      next_at: notBefore ?? null,
      created_at: now(),
    }
  })
  return { ids: rows.map(({ id }) => id), calls: [call(INSERT, JSON.stringify(rows))] }
}
