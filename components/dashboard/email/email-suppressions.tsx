import { useTranslations } from 'next-intl'
import { shownEmail } from '@/lib/core/shown-email'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pager } from '@/components/ui/pager'
import { DataTable } from '@/components/ui/data-table'
import { RelativeTime } from '@/components/ui/relative-time'
import { ConfirmAction } from '../forms/confirm-action'
import { FilterForm } from '../lists/filter-form'
import { hrefOf } from '../lists/href'

type Suppression = {
  id: string
  email: string
  reason: 'BOUNCE' | 'COMPLAINT'
  detail: string | null
  created_at: Date
}
type Query = {
  email?: string | null | undefined
  reason?: string | null | undefined
  cursor?: string | null | undefined
}

const TONES = { BOUNCE: 'danger', COMPLAINT: 'warning' } as const

/** Suppressed addresses, with their reasons and a way to remove them. */
export function EmailSuppressions({
  path,
  query,
  page,
  allowAgain,
}: {
  path: string
  query: Query
  page: { results: Suppression[]; cursor: string | null; total_results: number }
  /** Absent without the permission. */
  allowAgain: ((id: string) => FormAction) | null
}) {
  const t = useTranslations('dashboard.settings.mail.stopped')
  const { email, reason } = query
  const filtered = Boolean(email || reason)
  return (
    <section aria-label={t('title')} className="grid gap-4">
      <Card flush title={t('title')} description={t('lead')}>
        {(filtered || page.total_results > 0) && (
          <div className="px-5 pb-5 sm:px-6">
            <FilterForm
              path={path}
              query={query}
              filters={[
                { name: 'email', label: t('email'), input: { autoComplete: 'off', autoCapitalize: 'none' } },
                {
                  name: 'reason',
                  label: t('reason'),
                  options: (['BOUNCE', 'COMPLAINT'] as const).map((each) => [each, t(`reasons.${each}`)]),
                  any: t('any'),
                },
              ]}
            />
          </div>
        )}
        {page.results.length === 0 ? (
          <EmptyState title={filtered ? t('noneSuch') : t('none')}>
            {filtered ? t('noneSuchLead') : t('noneLead')}
          </EmptyState>
        ) : (
          <DataTable
            caption={t('title')}
            rows={page.results}
            columns={[
              { label: t('address'), cell: (one) => <span className="break-all">{shownEmail(one.email)}</span> },
              {
                label: t('why'),
                cell: (one) => (
                  <span className="grid justify-items-start gap-1">
                    <Badge tone={TONES[one.reason]}>{t(`reasons.${one.reason}`)}</Badge>
                    {one.detail && <span className="text-muted wrap-anywhere">{one.detail}</span>}
                  </span>
                ),
              },
              { label: t('since'), cell: (one) => <RelativeTime at={one.created_at} /> },
              {
                label: t('actions'),
                actions: true,
                cell: (one) =>
                  allowAgain && (
                    <ConfirmAction
                      action={allowAgain(one.id)}
                      trigger={
                        <Button
                          size="sm"
                          className="whitespace-nowrap"
                          aria-label={t('allowFor', { email: one.email })}
                        >
                          {t('allow')}
                        </Button>
                      }
                      title={t('allowTitle', { email: one.email })}
                      description={one.reason === 'COMPLAINT' ? t('allowSpam') : t('allowBounced')}
                      confirm={t('allowIt')}
                      tone="primary"
                    />
                  ),
              },
            ]}
          />
        )}
      </Card>
      {page.total_results > 0 && (
        <Pager
          first={query.cursor ? hrefOf(path, { email, reason }) : null}
          next={page.cursor && hrefOf(path, { email, reason, cursor: page.cursor })}
          total={page.total_results}
          noun={t(page.total_results === 1 ? 'noun.one' : 'noun.other')}
        />
      )}
    </section>
  )
}
