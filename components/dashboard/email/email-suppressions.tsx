import { useTranslations } from 'next-intl'
import { shownEmail } from '@/lib/core/shown-email'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Pager } from '@/components/ui/pager'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { RelativeTime } from '@/components/ui/relative-time'
import { ConfirmAction } from '../forms/confirm-action'
import { Filters } from '../lists/filters'
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
            <Filters path={path} active={filtered}>
              <Field label={t('email')}>
                <Input name="email" type="search" defaultValue={email ?? ''} autoComplete="off" autoCapitalize="none" />
              </Field>
              <Field label={t('reason')}>
                <Select name="reason" defaultValue={reason ?? ''}>
                  <option value="">{t('any')}</option>
                  <option value="BOUNCE">{t('reasons.BOUNCE')}</option>
                  <option value="COMPLAINT">{t('reasons.COMPLAINT')}</option>
                </Select>
              </Field>
            </Filters>
          </div>
        )}
        {page.results.length === 0 ? (
          <EmptyState title={filtered ? t('noneSuch') : t('none')}>
            {filtered ? t('noneSuchLead') : t('noneLead')}
          </EmptyState>
        ) : (
          <Table caption={t('title')}>
            <Thead>
              <Th>{t('address')}</Th>
              <Th>{t('why')}</Th>
              <Th>{t('since')}</Th>
              <Th>
                <span className="sr-only">{t('actions')}</span>
              </Th>
            </Thead>
            <Tbody>
              {page.results.map((one) => (
                <Tr key={one.id}>
                  <Td rowHeader>
                    <span className="break-all">{shownEmail(one.email)}</span>
                  </Td>
                  <Td label={t('why')}>
                    <span className="grid justify-items-start gap-1">
                      <Badge tone={TONES[one.reason]}>{t(`reasons.${one.reason}`)}</Badge>
                      {one.detail && <span className="text-muted wrap-anywhere">{one.detail}</span>}
                    </span>
                  </Td>
                  <Td label={t('since')}>
                    <RelativeTime at={one.created_at} />
                  </Td>
                  <Td align="right">
                    {allowAgain && (
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
                    )}
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
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
