import { useLocale, useTranslations } from 'next-intl'
import { ChevronRight } from 'lucide-react'
import type { z } from 'zod'
import { Fact, Facts } from '@/components/ui/facts'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { Time } from '@/components/ui/time'
import type { auditEntry } from '@/lib/platform/api/audit-entries'
import { inWords, subjectHref, auditWords } from './audit-labels'
import { hrefOf } from '../lists/href'

type Entry = z.output<typeof auditEntry>

/** Audit entries, newest first. Each expands to the values before and after, the actor and the address. */
export function AuditEntries({ entries, path }: { entries: readonly Entry[]; path: string }) {
  const t = useTranslations('dashboard.audit')
  const { actionInWords, subjectInWords } = auditWords(t, useLocale())
  const nameOf = ({ actor }: Entry) => actor.name || t(`actors.${actor.type}`)
  return (
    <ul className="divide-y">
      {entries.map((entry) => (
        <li key={entry.id}>
          <details className="group">
            <summary
              className={
                'flex list-none flex-wrap items-baseline gap-x-4 gap-y-1 px-5 py-3 hover:bg-well/40 ' +
                'sm:px-6 [&::-webkit-details-marker]:hidden'
              }
            >
              <ChevronRight
                aria-hidden="true"
                className="size-4 shrink-0 self-center text-muted transition-transform group-open:rotate-90"
              />
              <span className="min-w-0 grow wrap-anywhere">{actionInWords(entry.action)}</span>
              <span className="min-w-0 text-sm text-muted wrap-anywhere">{nameOf(entry)}</span>
              <span className="text-sm text-muted">
                <RelativeTime at={entry.created_at} />
              </span>
            </summary>
            <div className="grid gap-5 border-t bg-well/40 px-5 py-5 sm:px-6">
              <Difference entry={entry} />
              <Facts>
                <Fact name={t('who')}>
                  <span className="inline-flex flex-wrap gap-x-3">
                    <span>{nameOf(entry)}</span>
                    {entry.actor.id && (
                      <TextLink href={hrefOf(path, { actor_id: entry.actor.id })}>{t('allTheyDid')}</TextLink>
                    )}
                  </span>
                </Fact>
                <Fact name={subjectInWords(entry.subject.type)}>
                  <span className="inline-flex flex-wrap gap-x-3">
                    <Subject entry={entry} />
                    <TextLink href={hrefOf(path, { subject_id: entry.subject.id })}>{t('allOfIt')}</TextLink>
                  </span>
                </Fact>
                <Fact name={t('when')}>
                  <Time at={entry.created_at} />
                </Fact>
                <Fact name={t('where')}>{entry.client_address ?? t('inside')}</Fact>
                <Fact name={t('request')}>
                  <span className="figures break-all">{entry.request_id}</span>
                </Fact>
              </Facts>
            </div>
          </details>
        </li>
      ))}
    </ul>
  )
}

function Subject({ entry: { action, subject } }: { entry: Entry }) {
  const href = /\.(deleted|removed|revoked)$/.test(action) ? null : subjectHref(subject.type, subject.id)
  const id = <span className="figures break-all">{subject.id}</span>
  return href ? <TextLink href={href}>{id}</TextLink> : id
}

function Difference({ entry: { before, after } }: { entry: Entry }) {
  const t = useTranslations('dashboard.audit')
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return <p className="text-sm text-muted">{before && after ? t('same') : t('nothing')}</p>
  return (
    <div className="overflow-hidden rounded-md border bg-pane">
      <DataTable
        caption={t('caption')}
        rows={names.map((id) => ({ id }))}
        columns={[
          { label: t('what'), cell: ({ id }) => <span className="wrap-anywhere">{inWords(id)}</span> },
          before && { label: t('before'), cell: ({ id }) => <Value of={before[id]} /> },
          after && { label: t('after'), cell: ({ id }) => <Value of={after[id]} /> },
        ]}
      />
    </div>
  )
}

/** A value as text; nested values are shown as JSON. */
function Value({ of: value }: { of: unknown }) {
  const t = useTranslations('dashboard.audit')
  if (value === null || value === undefined || value === '') return <span className="text-muted">–</span>
  if (typeof value === 'boolean') return <span>{value ? t('yes') : t('no')}</span>
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return value.length === 0 ? (
      <span className="text-muted">{t('empty')}</span>
    ) : (
      <span className="wrap-anywhere">{value.join(', ')}</span>
    )
  if (typeof value === 'object')
    return <span className="figures whitespace-pre-wrap wrap-anywhere">{JSON.stringify(value, null, 2)}</span>
  return <span className="wrap-anywhere">{String(value)}</span>
}
