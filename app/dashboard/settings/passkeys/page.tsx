import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { PasskeyForm } from '@/components/dashboard/passkeys/passkey-form'
import { SettingsTabs } from '@/components/dashboard/shell/settings-tabs'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { browserName } from '@/lib/core/browser-name'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listPasskeys } from '@/lib/platform/auth/passkeys'
import { beginRegistrationAction, finishRegistrationAction } from '../../../sign-in/passkey/actions'
import { removePasskeyAction } from './actions'

export const metadata: Metadata = { title: 'Your passkeys' }

export default async function PasskeysPage() {
  const passkeys = await listPasskeys(await dashboardContext())
  return (
    <>
      <PageHeader
        title="Settings"
        description="With a passkey you sign in with your fingerprint, face or PIN instead of an email link. The link keeps working in case you lose the passkey."
      />
      <SettingsTabs />
      {passkeys.length > 0 && (
        <Card flush>
          <Table caption="Your passkeys">
            <Thead>
              <Th>Passkey</Th>
              <Th>Registered</Th>
              <Th>Last used</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </Thead>
            <Tbody>
              {passkeys.map(({ id, name, createdAt, lastUsedAt, backedUp }) => (
                <Tr key={id}>
                  <Td rowHeader>
                    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                      <span className="wrap-anywhere">{name}</span>
                      {backedUp && <Badge>Synced</Badge>}
                    </span>
                  </Td>
                  <Td label="Registered">
                    <RelativeTime at={createdAt} />
                  </Td>
                  <Td label="Last used">{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'Never'}</Td>
                  <Td align="right">
                    <ConfirmAction
                      action={removePasskeyAction.bind(null, id)}
                      trigger={
                        <Button size="sm" variant="quiet">
                          Remove
                        </Button>
                      }
                      title="Remove this passkey?"
                      description="It can’t be used to sign in any more, and sessions started with it on other devices end."
                      confirm="Remove it"
                    />
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </Card>
      )}
      <Card
        title={passkeys.length > 0 ? 'Another passkey' : 'Your first passkey'}
        description="On this device, on a phone nearby, or on a security key."
      >
        <PasskeyForm
          begin={beginRegistrationAction}
          finish={finishRegistrationAction}
          name={browserName((await headers()).get('user-agent'))}
        />
      </Card>
    </>
  )
}
