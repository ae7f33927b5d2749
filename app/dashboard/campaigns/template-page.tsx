import { notFound } from 'next/navigation'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Arrived } from '@/components/dashboard/campaigns/template-arrived'
import { TemplateEditor } from '@/components/dashboard/campaigns/template-editor'
import { TemplateLanguages } from '@/components/dashboard/campaigns/template-languages'
import { TemplateVersions } from '@/components/dashboard/campaigns/template-versions'
import {
  SOURCE_WORDS,
  TEMPLATE_NAMES,
  templatePath,
  typeOfSlug,
} from '@/components/dashboard/campaigns/template-labels'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCampaign } from '@/lib/messaging/campaigns/get-campaign'
import { defaultSenderOf, senderFactsOf } from '@/lib/messaging/campaigns/show-campaign'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { authorsOf } from '@/lib/messaging/templates/authors-of'
import { getTemplate } from '@/lib/messaging/templates/get-template'
import { listVariables } from '@/lib/messaging/templates/list-variables'
import { listRecipients } from '@/lib/giving/list-recipients'
import { findLocale, type Locale } from '@/lib/core/locales'
import { previewTemplate } from '@/lib/messaging/templates/preview-template'
import { platformBlocks } from '@/lib/messaging/templates/platform-template'
import {
  deleteTemplateAction,
  previewTemplateAction,
  saveTemplateAction,
  sendTestAction,
  templateCodeAction,
} from './actions'

type Props = { slug: string; campaignId: string | null; query: Record<string, string | string[] | undefined> }

const localeOf = (value: string | string[] | undefined): Locale | null =>
  typeof value === 'string' ? findLocale(value) : null

const numberOf = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null

/** The editor of one mail's template: the organization's, or a campaign's. */
export async function TemplatePage({ slug, campaignId, query }: Props) {
  const ctx = await dashboardContext()
  const type = typeOfSlug(slug) ?? notFound()
  const locale = localeOf(query.locale)
  const scope = { campaign_id: campaignId, locale }
  const [campaign, inUse] = await Promise.all([
    campaignId === null ? null : orNotFound(campaignId, (id) => getCampaign(ctx, id)),
    campaignId === null
      ? getTemplate(ctx, type, scope)
      : orNotFound(campaignId, (id) => getTemplate(ctx, type, { ...scope, campaign_id: id })),
  ])
  const requested = numberOf(query.version)
  const earlier =
    requested !== null &&
    inUse.versions.some(({ version }) => version === requested) &&
    requested !== inUse.versions[0]?.version
  const template = earlier ? await getTemplate(ctx, type, { ...scope, version: requested }) : inUse
  const { subject, text, format, body, blocks } = template
  const draft = { subject, text, format, body, blocks }
  const [{ variables }, preview, sender, authors, recipients] = await Promise.all([
    listVariables(ctx, type),
    previewTemplate(ctx, type, scope, { ...(blocks ? { subject, blocks } : draft), dark: false }),
    campaign ? campaign.email_from : senderFactsOf(ctx).then(defaultSenderOf),
    authorsOf(
      ctx,
      inUse.versions.map(({ member_id }) => member_id),
    ),
    may(ctx, 'email_claims:read') ? listRecipients(ctx, campaignId) : [],
  ])
  const pathOf = (more: Record<string, string>) => templatePath(type, scope, more)
  const back = campaign
    ? { href: `/dashboard/campaigns/${campaign.id}`, label: campaign.name }
    : { href: '/dashboard/campaigns', label: 'Campaigns' }
  const versions = (
    <TemplateVersions
      pathOf={pathOf}
      shown={inUse.versions.length === 0 ? null : template.version}
      versions={inUse.versions.map(({ member_id, ...version }) => ({
        ...version,
        author: authors.get(member_id ?? '') ?? null,
      }))}
    />
  )
  const isOwn = inUse.versions.length > 0
  return (
    <>
      <PageHeader
        back={back}
        title={TEMPLATE_NAMES[type].title}
        badge={<Badge tone={inUse.source === 'PLATFORM' ? 'neutral' : 'info'}>{SOURCE_WORDS[inUse.source]}</Badge>}
        description={TEMPLATE_NAMES[type].when}
        actions={
          may(ctx, 'email_templates:write') &&
          isOwn && (
            <ConfirmAction
              action={deleteTemplateAction.bind(null, type, scope)}
              trigger={<Button variant="danger">Reset this template</Button>}
              title="Reset this template?"
              description={`${inUse.versions.length === 1 ? 'Your version is' : `All ${inUse.versions.length} versions are`} deleted, and the next email uses ${locale ? 'the template for all languages, or the built-in one' : campaignId ? 'your default template, or the built-in one' : 'the built-in template'}.`}
              confirm="Reset it"
            />
          )
        }
      />
      {query.saved !== undefined && !earlier && (
        <Arrived path={pathOf({})} message={`Version ${inUse.version} is saved. The next mail uses it.`} />
      )}
      <TemplateLanguages type={type} scope={scope} variants={inUse.variants} />
      {earlier && (
        <Alert tone="info" title={`Version ${requested} is open in the editor`}>
          Save it to use it again, as a new version.
        </Alert>
      )}
      {!isOwn && campaignId !== null && inUse.source === 'ORGANIZATION' && (
        <Alert tone="info">This is your default template. Changes you save here apply to this campaign only.</Alert>
      )}
      {may(ctx, 'email_templates:write') ? (
        <TemplateEditor
          key={`${locale} ${template.source} ${template.version}`}
          initial={draft}
          earlier={earlier}
          builtIn={platformBlocks(type, locale ?? undefined)}
          variables={variables}
          preview={preview}
          sender={sender}
          origin={ctx.ports.addresses.origin}
          saveAction={saveTemplateAction.bind(null, type, scope)}
          recipients={recipients}
          previewAction={previewTemplateAction.bind(null, type, scope)}
          testAction={sendTestAction.bind(null, type, scope)}
          codeAction={templateCodeAction.bind(null, type, locale)}
          cancel={back.href}
        >
          {versions}
        </TemplateEditor>
      ) : (
        <Card title={preview.subject ?? template.subject}>
          <pre className="text-sm whitespace-pre-wrap wrap-anywhere">{preview.text}</pre>
        </Card>
      )}
    </>
  )
}
