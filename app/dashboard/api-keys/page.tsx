import type { Metadata } from 'next'
import { Plus } from 'lucide-react'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { Badge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/api-keys'
import { PERMISSIONS } from '@/lib/platform/api/permissions'
import { listApiKeys } from '@/lib/records/api-keys/list-api-keys'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { readQuery } from '@/lib/platform/http/page-query'
import { revokeKey } from './actions'

export const metadata: Metadata = { title: 'API keys' }

const path = '/dashboard/api-keys'

export default async function ApiKeysPage({ searchParams }: PageProps<'/dashboard/api-keys'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listApiKeys.query, await searchParams)
  const keys = await listApiKeys(ctx, query)
  const mayWrite = may(ctx, 'api_keys:write')
  const make = mayWrite && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
      New key
    </LinkButton>
  )
  return (
    <ListPage
      path={path}
      title="API keys"
      description={
        <>
          What programs sign in with. Every form of this dashboard is an operation, too: see the{' '}
          <TextLink href="/docs">documentation</TextLink>.
        </>
      }
      actions={make}
      noun={['key', 'keys']}
      page={keys}
      cursor={query.cursor}
      empty={{
        title: 'No keys yet',
        action: make,
        children:
          'API keys let your programs create items and send them by email. A key is shown once, can do only what you allow, and can be revoked at any time.',
      }}
    >
      <Card flush>
        <Table caption="API keys">
          <Thead>
            <Th>Name</Th>
            <Th>Begins with</Th>
            <Th>Permissions</Th>
            <Th>Last used</Th>
            <Th>Expires</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </Thead>
          <Tbody>
            {keys.results.map((key) => (
              <Tr key={key.id}>
                <Td rowHeader>
                  <span className="flex flex-wrap items-center gap-2">
                    {key.name}
                    <Badge tone={key.mode === 'LIVE' ? 'warning' : 'neutral'}>
                      {key.mode === 'LIVE' ? 'Live' : 'Test'}
                    </Badge>
                  </span>
                </Td>
                <Td label="Begins with">
                  <span className="figures">{key.prefix}…</span>
                </Td>
                <Td label="Permissions">
                  {key.permissions.length === PERMISSIONS.length
                    ? 'All'
                    : `${key.permissions.length} of ${PERMISSIONS.length}`}
                </Td>
                <Td label="Last used">{key.last_used_at ? <RelativeTime at={key.last_used_at} /> : 'Never'}</Td>
                <Td label="Expires">{key.expires_at ? <Time at={key.expires_at} /> : 'Never'}</Td>
                <Td align="right">
                  {mayWrite && (
                    <ConfirmAction
                      action={revokeKey.bind(null, key.id)}
                      trigger={
                        <Button size="sm" variant="danger" aria-label={`Revoke ${key.name}`}>
                          Revoke
                        </Button>
                      }
                      title={`Revoke “${key.name}”?`}
                      description="Programs that use this key stop working immediately. A revoked key can’t be restored."
                      confirm="Revoke the key"
                      type={key.name}
                    />
                  )}
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}
