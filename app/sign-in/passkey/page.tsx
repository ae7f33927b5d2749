import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { PasskeyForm } from '@/components/dashboard/passkeys/passkey-form'
import { PasskeySignIn } from '@/components/dashboard/passkeys/passkey-sign-in'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { browserName } from '@/lib/core/browser-name'
import { signedInVisit } from '@/lib/platform/auth/dashboard'
import { listPasskeys } from '@/lib/platform/auth/passkeys'
import { chooseOrganization, signOut } from '../../dashboard/actions'
import { beginRegistrationAction, beginSignInAction, finishRegistrationAction, finishSignInAction } from './actions'

export const metadata: Metadata = { title: 'A passkey is needed' }

/** For a session that no passkey made, of an organization that asks for one. */
export default async function PasskeyNeededPage() {
  const { ctx, memberships, needsPasskey } = await signedInVisit()
  if (!needsPasskey) redirect('/dashboard')
  const current = memberships.find(({ organizationId }) => organizationId === ctx.organizationId)
  const others = memberships.filter(({ organizationId }) => organizationId !== ctx.organizationId)
  const hasPasskey = (await listPasskeys(ctx)).length > 0
  const form = (
    <PasskeyForm
      begin={beginRegistrationAction}
      finish={finishRegistrationAction}
      name={browserName((await headers()).get('user-agent'))}
      next="/dashboard"
    />
  )
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">A passkey is needed</h1>
        <p className="mt-2 wrap-anywhere text-muted">
          {current?.name ?? 'This organization'} opens its dashboard to members who signed in with a passkey.
        </p>
      </div>
      {hasPasskey && (
        <Card>
          <PasskeySignIn begin={beginSignInAction} finish={finishSignInAction} variant="primary" />
        </Card>
      )}
      <Card
        title={hasPasskey ? 'Lost your passkey?' : 'Register one'}
        description={
          hasPasskey
            ? 'Register a new one. The owners are told by mail, and you can remove the lost one afterwards.'
            : 'Your device makes it and asks for your finger, face or PIN. The owners are told by mail.'
        }
      >
        {form}
      </Card>
      <div className="flex flex-wrap gap-2">
        {others.map(({ organizationId, name }) => (
          <form key={organizationId} action={chooseOrganization.bind(null, organizationId)}>
            <Button type="submit" variant="quiet">
              Open {name}
            </Button>
          </form>
        ))}
        <form action={signOut}>
          <Button type="submit" variant="quiet">
            Sign out
          </Button>
        </form>
      </div>
    </>
  )
}
