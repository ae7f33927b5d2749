import type { Metadata } from 'next'
import { AuditEntries } from '@/components/dashboard/audit/audit-entries'
import { ACTORS, SUBJECT_TYPES, subjectInWords } from '@/components/dashboard/audit/audit-labels'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { listAuditEntries } from '@/lib/records/audit/list-audit-entries'
import * as api from '@/lib/platform/api/audit-entries'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'

export const metadata: Metadata = { title: 'Audit log' }

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
  const { actor_type, actor_id, action, subject_type, subject_id } = query
  const [fromDay, toDay] = [from && textOf(parameters.from), to && textOf(parameters.to)]
  const filters = {
    subject_type: { label: 'About', value: subject_type, shown: subject_type && subjectInWords(subject_type) },
    actor_type: { label: 'Who', value: actor_type, shown: actor_type && ACTORS[actor_type] },
    actor_id: { label: 'Who, by id', value: actor_id },
    action: { label: 'Action', value: action },
    subject_id: { label: 'Id', value: subject_id },
    from: { label: 'From', value: fromDay },
    to: { label: 'To', value: toDay },
  }
  return (
    <ListPage
      path={path}
      title="Audit log"
      description="Who changed what, when and from where. Entries can’t be edited or deleted, and never contain secrets."
      noun={['entry', 'entries']}
      page={entries}
      cursor={query.cursor}
      filters={filters}
      fields={
        <>
          <Field label="About">
            <Select name="subject_type" defaultValue={subject_type ?? ''}>
              <option value="">Anything</option>
              {SUBJECT_TYPES.map((type) => (
                <option key={type} value={type}>
                  {subjectInWords(type)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Who">
            <Select name="actor_type" defaultValue={actor_type ?? ''}>
              <option value="">Anyone</option>
              {Object.entries(ACTORS).map(([type, words]) => (
                <option key={type} value={type}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Action begins with">
            <Input
              name="action"
              type="search"
              defaultValue={action ?? ''}
              placeholder="listing."
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field label="Id">
            <Input
              name="subject_id"
              type="search"
              defaultValue={subject_id ?? ''}
              placeholder="Of what it is about"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field label="From (UTC)">
            <Input name="from" type="date" defaultValue={fromDay ?? ''} />
          </Field>
          <Field label="To (UTC)">
            <Input name="to" type="date" defaultValue={toDay ?? ''} />
          </Field>
          {actor_id && <input type="hidden" name="actor_id" value={actor_id} />}
        </>
      }
      empty={{
        title: 'No entries yet',
        children: 'Every change made here or through the API is recorded: who made it, what changed, and from where.',
      }}
    >
      <Card flush>
        <AuditEntries entries={entries.results} path={path} />
      </Card>
    </ListPage>
  )
}
