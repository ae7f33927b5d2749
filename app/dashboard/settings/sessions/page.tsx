import type { Metadata } from 'next'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { SettingsTabs } from '@/components/dashboard/shell/settings-tabs'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { browserName } from '@/lib/core/browser-name'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listSessions } from '@/lib/platform/auth/sessions'
import { endOtherSessionsAction, endSessionAction } from './actions'

export const metadata: Metadata = { title: 'Your sessions' }

export default async function SessionsPage() {
  const sessions = await listSessions(await dashboardContext())
  return (
    <>
      <PageHeader
        title="Settings"
        description="Where you are signed in. A session ends 30 days after signing in."
        actions={
          sessions.length > 1 && (
            <ConfirmAction
              action={endOtherSessionsAction}
              trigger={<Button>Sign out everywhere else</Button>}
              title="Sign out everywhere else?"
              description="Ends all your sessions except this one."
              confirm="Sign out everywhere else"
            />
          )
        }
      />
      <SettingsTabs />
      <Card flush>
        <Table caption="Your sessions">
          <Thead>
            <Th>Browser</Th>
            <Th>Address</Th>
            <Th>Signed in</Th>
            <Th>Last used</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </Thead>
          <Tbody>
            {sessions.map(({ id, userAgent, clientAddress, signedInAt, lastUsedAt, isCurrent }) => (
              <Tr key={id}>
                <Td rowHeader>
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="wrap-anywhere">{browserName(userAgent)}</span>
                    {isCurrent && <Badge tone="info">This one</Badge>}
                  </span>
                </Td>
                <Td label="Address">
                  <span className="figures wrap-anywhere">{clientAddress ?? 'Unknown'}</span>
                </Td>
                <Td label="Signed in">
                  <RelativeTime at={signedInAt} />
                </Td>
                <Td label="Last used">{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'Never'}</Td>
                <Td align="right">
                  {!isCurrent && (
                    <ConfirmAction
                      action={endSessionAction.bind(null, id)}
                      trigger={
                        <Button size="sm" variant="quiet">
                          End
                        </Button>
                      }
                      title="End this session?"
                      description="That device has to sign in again."
                      confirm="End it"
                    />
                  )}
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </>
  )
}
