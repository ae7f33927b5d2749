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

const REASONS = {
  BOUNCE: <Badge tone="danger">Bounced</Badge>,
  COMPLAINT: <Badge tone="warning">Called it spam</Badge>,
} as const

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
  const { email, reason } = query
  const filtered = Boolean(email || reason)
  return (
    <section aria-label="Stopped addresses" className="grid gap-4">
      <Card
        flush
        title="Stopped addresses"
        description="Emails that bounce or are reported as spam make it harder for later ones to arrive. So nothing is sent to these addresses until you allow it."
      >
        {(filtered || page.total_results > 0) && (
          <div className="px-5 pb-5 sm:px-6">
            <Filters path={path} active={filtered}>
              <Field label="Email">
                <Input name="email" type="search" defaultValue={email ?? ''} autoComplete="off" autoCapitalize="none" />
              </Field>
              <Field label="Reason">
                <Select name="reason" defaultValue={reason ?? ''}>
                  <option value="">Any</option>
                  <option value="BOUNCE">Bounced</option>
                  <option value="COMPLAINT">Called it spam</option>
                </Select>
              </Field>
            </Filters>
          </div>
        )}
        {page.results.length === 0 ? (
          <EmptyState title={filtered ? 'No such address is stopped' : 'No address is stopped'}>
            {filtered
              ? 'Look without the filter.'
              : 'When a mail can’t be delivered, or its reader calls it spam, the address is listed here with what its mail server said.'}
          </EmptyState>
        ) : (
          <Table caption="Stopped addresses">
            <Thead>
              <Th>Address</Th>
              <Th>Why</Th>
              <Th>Since</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </Thead>
            <Tbody>
              {page.results.map((one) => (
                <Tr key={one.id}>
                  <Td rowHeader>
                    <span className="break-all">{one.email}</span>
                  </Td>
                  <Td label="Why">
                    <span className="grid justify-items-start gap-1">
                      {REASONS[one.reason]}
                      {one.detail && <span className="text-muted wrap-anywhere">{one.detail}</span>}
                    </span>
                  </Td>
                  <Td label="Since">
                    <RelativeTime at={one.created_at} />
                  </Td>
                  <Td align="right">
                    {allowAgain && (
                      <ConfirmAction
                        action={allowAgain(one.id)}
                        trigger={
                          <Button size="sm" className="whitespace-nowrap" aria-label={`Allow again: ${one.email}`}>
                            Allow again
                          </Button>
                        }
                        title={`Allow mail to ${one.email} again?`}
                        description={
                          one.reason === 'COMPLAINT'
                            ? 'Its owner reported your email as spam. Allow it only if they asked you to.'
                            : 'Do this if you know that the mailbox exists. If mail bounces again, the address is stopped again.'
                        }
                        confirm="Allow it"
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
          noun={page.total_results === 1 ? 'address' : 'addresses'}
        />
      )}
    </section>
  )
}
