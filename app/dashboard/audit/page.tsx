import { getLocale, getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { AuditEntries } from '@/components/dashboard/audit/audit-entries'
import { ACTORS, auditWords, SUBJECT_TYPES } from '@/components/dashboard/audit/audit-labels'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
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
  const { actor_type, actor_id, action, subject_type, subject_id } = query
  const [fromDay, toDay] = [from && textOf(parameters.from), to && textOf(parameters.to)]
  const filters = {
    subject_type: { label: t('about'), value: subject_type, shown: subject_type && subjectInWords(subject_type) },
    actor_type: { label: t('who'), value: actor_type, shown: actor_type && t(`actors.${actor_type}`) },
    actor_id: { label: t('whoById'), value: actor_id },
    action: { label: t('action'), value: action },
    subject_id: { label: t('id'), value: subject_id },
    from: { label: t('from'), value: fromDay },
    to: { label: t('to'), value: toDay },
  }
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('lead')}
      noun={[t('noun.one'), t('noun.other')]}
      page={entries}
      cursor={query.cursor}
      filters={filters}
      fields={
        <>
          <Field label={t('about')}>
            <Select name="subject_type" defaultValue={subject_type ?? ''}>
              <option value="">{t('anything')}</option>
              {SUBJECT_TYPES.map((type) => (
                <option key={type} value={type}>
                  {subjectInWords(type)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t('who')}>
            <Select name="actor_type" defaultValue={actor_type ?? ''}>
              <option value="">{t('anyone')}</option>
              {ACTORS.map((type) => (
                <option key={type} value={type}>
                  {t(`actors.${type}`)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t('actionBegins')}>
            <Input
              name="action"
              type="search"
              defaultValue={action ?? ''}
              placeholder="listing."
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field label={t('id')}>
            <Input
              name="subject_id"
              type="search"
              defaultValue={subject_id ?? ''}
              placeholder={t('idOf')}
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field label={t('fromUtc')}>
            <Input name="from" type="date" defaultValue={fromDay ?? ''} />
          </Field>
          <Field label={t('toUtc')}>
            <Input name="to" type="date" defaultValue={toDay ?? ''} />
          </Field>
          {actor_id && <input type="hidden" name="actor_id" value={actor_id} />}
        </>
      }
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
