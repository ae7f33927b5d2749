import { getLocale, getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { AuditEntries } from '@/components/dashboard/audit/audit-entries'
import { ACTORS, auditWords, SUBJECT_TYPES } from '@/components/dashboard/audit/audit-labels'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { Card } from '@/components/ui/card'
import { listAuditEntries } from '@/lib/records/audit/list-audit-entries'
import * as api from '@/lib/platform/api/audit-entries'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'

export const generateMetadata = titled('dashboard.audit', 'title')

const path = '/dashboard/audit'
const DAY_MS = 86_400_000

/** The start of a day from the query, in UTC, plus `later` days. */
function dayOf(value: string | string[] | undefined, later = 0): string | undefined {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : null
  return day && !Number.isNaN(day.getTime()) ? new Date(day.getTime() + later * DAY_MS).toISOString() : undefined
}

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '')

export default async function AuditPage({ searchParams }: PageProps<'/dashboard/audit'>) {
  const ctx = await dashboardContext()
  const parameters = await searchParams
  const [from, to] = [dayOf(parameters.from), dayOf(parameters.to, 1)]
  const query = readQuery(api.listAuditEntries.query, { ...parameters, from, to })
  const entries = await listAuditEntries(ctx, { ...query, limit: Math.min(query.limit, 50) })
  const t = await getTranslations('dashboard.audit')
  const { subjectInWords } = auditWords(t, await getLocale())
  const [fromDay, toDay] = [from && textOf(parameters.from), to && textOf(parameters.to)]
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('lead')}
      noun={[t('noun.one'), t('noun.other')]}
      page={entries}
      query={{ ...query, from: fromDay, to: toDay }}
      filters={[
        {
          name: 'subject_type',
          label: t('about'),
          options: SUBJECT_TYPES.map((type) => [type, subjectInWords(type)]),
          any: t('anything'),
          shown: query.subject_type && subjectInWords(query.subject_type),
        },
        {
          name: 'actor_type',
          label: t('who'),
          options: ACTORS.map((type) => [type, t(`actors.${type}`)]),
          any: t('anyone'),
        },
        { name: 'actor_id', label: t('whoById') },
        {
          name: 'action',
          label: t('action'),
          field: t('actionBegins'),
          input: { placeholder: 'listing.', autoCapitalize: 'none', spellCheck: false },
        },
        {
          name: 'subject_id',
          label: t('id'),
          input: { placeholder: t('idOf'), autoCapitalize: 'none', spellCheck: false },
        },
        { name: 'from', label: t('from'), field: t('fromUtc'), input: { type: 'date' } },
        { name: 'to', label: t('to'), field: t('toUtc'), input: { type: 'date' } },
      ]}
      empty={{
        title: t('none'),
        children: t('noneLead'),
      }}
    >
      <Card flush>
        <AuditEntries entries={entries.results} path={path} />
      </Card>
    </ListPage>
  )
}
