import { Prisma } from '../../../generated/prisma/client.ts'
import type { EditableType, saveTemplate as endpoint, TemplateDraft } from '../../platform/api/email-templates.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { memberIdOf } from '../../platform/auth/person.ts'
import { lockCampaign } from '../campaigns/lock-campaign.ts'
import { AppError } from '../../core/errors.ts'
import type { Locale } from '../../core/locales.ts'
import { newId } from '../../core/id.ts'
import { assertTemplateValid } from './check-template.ts'
import type { TemplatePlace } from './find-template.ts'
import { lockTemplates } from './lock-templates.ts'
import { draftOf } from './draft-of.ts'
import { type GivenPlace, placeOf, showTemplate } from './show-template.ts'

const MAX_VERSIONS = 50

/**
 * Saves a new version of a template, which mails use from then on. Keeps the last 50. Throws `template_invalid`,
 * `invalid_request` and `not_found` (the campaign).
 */
export async function saveTemplate(
  ctx: Context,
  type: EditableType,
  givenPlace: GivenPlace,
  given: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const place = await placeOf(ctx, givenPlace)
  const draft = await wholeDraft(ctx, type, given, place.locale)
  const { html } = await assertTemplateValid(ctx, type, draft)
  return inTransaction(ctx, async (tx) => {
    await lockCampaign(tx, place.campaignId)
    await lockTemplates(tx)
    const { id: templateId, version } = await nextVersion(tx, type, place)
    const { subject, text, format, body, blocks } = draft
    await tx.db.emailTemplateVersion.create({
      data: {
        id: newId(),
        organizationId: tx.organizationId,
        templateId,
        version,
        subject,
        text,
        format,
        body,
        html,
        ...(blocks && { blocks }),
        memberId: memberIdOf(tx),
        createdAt: tx.now(),
      },
    })
    await tx.db.emailTemplateVersion.deleteMany({ where: { templateId, version: { lte: version - MAX_VERSIONS } } })
    await recordAudit(tx, {
      action: 'email_template.saved',
      subject: { type: 'email_template', id: templateId },
      after: {
        template_type: type,
        campaign_id: place.campaignId,
        locale: place.locale,
        version,
        subject,
        format,
        ...(blocks && { blocks: blocks.length }),
      },
    })
    return showTemplate(tx, type, place)
  })
}

/** Throws `invalid_request` for each part that is missing. */
async function wholeDraft(
  ctx: Context,
  type: EditableType,
  given: Input<typeof endpoint>['body'],
  locale: Locale | null,
): Promise<TemplateDraft> {
  const { text, format, body, blocks } = await draftOf(ctx, type, given, locale)
  if (text && format && body) return { subject: given.subject, text, format, body, blocks: blocks ?? null }
  const fields = Object.entries({ text, format, body }).flatMap(([field, part]) =>
    part ? [] : [{ field, code: 'required', detail: 'This field is required, unless blocks are given.' }],
  )
  throw new AppError('invalid_request', `${fields[0]!.field}: ${fields[0]!.detail}`, { fields })
}

/**
 * Creates the template or increments its version. The upsert locks its row, so concurrent saves get consecutive
 * versions.
 */
async function nextVersion(
  tx: Context,
  type: EditableType,
  { campaignId, locale }: TemplatePlace,
): Promise<{ id: string; version: number }> {
  const now = tx.now().toISOString()
  const [row] = await tx.sql<{ id: string; version: number }>(Prisma.sql`
    INSERT INTO email_templates (id, organization_id, campaign_id, template_type, locale, version,
      created_at, updated_at)
    VALUES (${newId()}::uuid, ${tx.organizationId}::uuid, ${campaignId}::uuid, ${type}, ${locale}, 1,
        ${now}::timestamptz, ${now}::timestamptz)
    ON CONFLICT (organization_id, campaign_id, template_type, locale) DO UPDATE
      SET version = email_templates.version + 1, updated_at = excluded.updated_at
    RETURNING id::text, version`)
  return row!
}
