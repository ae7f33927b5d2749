import { notFound } from 'next/navigation'
import { getLocale, getTranslations } from 'next-intl/server'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Arrived } from '@/components/dashboard/campaigns/template-arrived'
import { TemplateEditor } from '@/components/dashboard/campaigns/template-editor'
import { TemplateLanguages } from '@/components/dashboard/campaigns/template-languages'
import { TemplateVersions } from '@/components/dashboard/campaigns/template-versions'
import { ALL_LANGUAGES, templatePath, typeOfSlug } from '@/components/dashboard/campaigns/template-paths'
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
import { getBuiltInTemplate } from '@/lib/messaging/templates/get-built-in-template'
import { getTemplate } from '@/lib/messaging/templates/get-template'
import { listVariables } from '@/lib/messaging/templates/list-variables'
import { listRecipients } from '@/lib/giving/list-recipients'
import { findLocale } from '@/lib/core/find-locale'
import type { Locale } from '@/lib/core/locales'
import { previewTemplate } from '@/lib/messaging/templates/preview-template'
import {
  deleteTemplateAction,
  previewTemplateAction,
  saveTemplateAction,
  sendTestAction,
  templateCodeAction,
} from './actions'
import { openedTemplate } from './opened-template'

/** The sample value of a variable whose value doesn't matter: it is there or not. */
const FLAG_SAMPLE = 'yes'

type Props = { slug: string; campaignId: string | null; query: Record<string, string | string[] | undefined> }

const localeOf = (value: string | string[] | undefined): Locale | null =>
  typeof value === 'string' ? findLocale(value) : null

const numberOf = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null

/** The editor of one mail's template: the organization's, or a campaign's. */
export async function TemplatePage({ slug, campaignId, query }: Props) {
  const [ctx, t, pageLocale] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.campaigns'),
    getLocale(),
  ])
  const type = typeOfSlug(slug) ?? notFound()
  const [builtIn, campaign] = await Promise.all([
    getBuiltInTemplate(ctx, type, localeOf(query.locale)),
    campaignId === null ? null : orNotFound(campaignId, (id) => getCampaign(ctx, id)),
  ])
  const locale = query.locale === ALL_LANGUAGES ? null : builtIn.locale
  const scope = { campaign_id: campaign?.id ?? null, locale }
  const inUse = await getTemplate(ctx, type, scope)
  const requested = numberOf(query.version)
  const earlier =
    requested !== null &&
    inUse.versions.some(({ version }) => version === requested) &&
    requested !== inUse.versions[0]?.version
  const template = earlier ? await getTemplate(ctx, type, { ...scope, version: requested }) : inUse
  const { subject, text, format, body, blocks } = template
  const draft = { subject, text, format, body, blocks }
  const [{ variables }, preview, sender, authors, recipients] = await Promise.all([
    listVariables(ctx, type, pageLocale),
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
    : { href: '/dashboard/campaigns', label: t('title') }
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
  // A few names mean something else in each mail. A variable without a text keeps the API's.
  const meaningOf = ({ name, meaning }: (typeof variables)[number]) => {
    const keys = [`variables.meanings.${type}_${name}`, `variables.meanings.${name}`] as 'variables.meanings.pin'[]
    const known = keys.find((key) => t.has(key))
    return known ? t(known) : meaning
  }
  const isOwn = inUse.versions.length > 0
  return (
    <>
      <PageHeader
        back={back}
        title={t(`templates.types.${type}.title`)}
        badge={
          <Badge tone={inUse.source === 'PLATFORM' ? 'neutral' : 'info'}>
            {t(`templates.sources.${inUse.source}`)}
          </Badge>
        }
        description={t(`templates.types.${type}.when`)}
        actions={
          may(ctx, 'email_templates:write') &&
          isOwn && (
            <ConfirmAction
              action={deleteTemplateAction.bind(null, type, scope)}
              trigger={<Button variant="danger">{t('templates.reset')}</Button>}
              title={t('templates.resetTitle')}
              description={t(`templates.resetText.${locale ? 'language' : campaignId ? 'campaign' : 'organization'}`, {
                versions: inUse.versions.length,
              })}
              confirm={t('templates.resetConfirm')}
            />
          )
        }
      />
      {query.saved !== undefined && !earlier && (
        <Arrived path={pathOf({})} message={t('templates.saved', { version: inUse.version ?? 0 })} />
      )}
      <TemplateLanguages type={type} scope={scope} variants={inUse.variants} own={builtIn.own} />
      {earlier && (
        <Alert tone="info" title={t('templates.earlierTitle', { version: requested })}>
          {t('templates.earlier')}
        </Alert>
      )}
      {!isOwn && campaignId !== null && inUse.source === 'ORGANIZATION' && (
        <Alert tone="info">{t('templates.isDefault')}</Alert>
      )}
      {!isOwn && inUse.source === (campaignId === null ? 'ORGANIZATION' : 'CAMPAIGN') && (
        <Alert tone="info">{t('templates.isForAll')}</Alert>
      )}
      {may(ctx, 'email_templates:write') ? (
        <TemplateEditor
          key={`${locale} ${earlier && template.version}`}
          initial={draft}
          opened={openedTemplate(inUse)}
          isOwn={isOwn}
          draftName={`${locale ?? ALL_LANGUAGES}/${earlier ? 'earlier' : 'template'}`}
          builtIn={builtIn}
          variables={variables.map((variable) => ({
            ...variable,
            meaning: meaningOf(variable),
            flag: variable.sample === FLAG_SAMPLE,
          }))}
          preview={preview}
          sender={sender}
          origin={ctx.ports.addresses.origin}
          saveAction={saveTemplateAction.bind(null, type, scope, earlier)}
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
