import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { ActionForm, FormField, Submit } from '@/components/dashboard/forms/action-form'
import { OauthButtons } from '@/components/dashboard/members/oauth-buttons'
import { PasskeySignIn } from '@/components/dashboard/passkeys/passkey-sign-in'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { person, visitor } from '@/lib/platform/auth/dashboard'
import { oauthNames } from '@/lib/platform/auth/next-auth'
import { isSignUpOpen, signInContext } from '@/lib/platform/auth/sign-in'
import { isSetUp } from '@/lib/members/issue-setup-link'
import { askForLink } from './actions'
import { beginSignInAction, finishSignInAction } from './passkey/actions'

export const metadata: Metadata = { title: 'Sign in' }

/** Sentences for next-auth's error codes. */
const REASONS: Record<string, string> = {
  Verification: 'This link has been used already, or its time is over. Ask for a new one.',
  AccessDenied: 'No organization here knows this address. Ask one of its owners to invite you.',
  Maintenance: 'Nobody can sign in during maintenance. Try again in a few minutes.',
  OAuthAccountNotLinked: 'This account belongs to another address. Sign in by email link instead.',
}

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  if ((await visitor()) || (isSignUpOpen() && (await person()))) redirect('/dashboard')
  const { error } = await searchParams
  const reason = error !== undefined && (REASONS[String(error)] ?? 'That did not work. Please try again.')
  const others = oauthNames()
  const isNew = !(await isSetUp(signInContext()))
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">Sign in</h1>
        <p className="mt-2 text-muted">
          We mail you a link that opens the dashboard, or you use a passkey. There is no password to remember.
        </p>
      </div>
      {isNew && (
        <Alert tone="warning" title="This installation isn’t set up yet">
          Its web process prints a setup link when it starts, good for an hour. Open that link.
        </Alert>
      )}
      {reason && (
        <Alert tone="warning" live>
          {reason}
        </Alert>
      )}
      <Card>
        <ActionForm action={askForLink}>
          <FormField name="email" label="Email" required>
            <Input name="email" type="email" autoComplete="email" inputMode="email" placeholder="you@example.com" />
          </FormField>
          <Submit size="lg">Send me a link</Submit>
        </ActionForm>
        <div className="mt-5 border-t pt-5">
          <PasskeySignIn begin={beginSignInAction} finish={finishSignInAction} />
        </div>
        {others.length > 0 && <OauthButtons providers={others} />}
      </Card>
      <p className="text-sm text-muted">
        {isSignUpOpen()
          ? 'New here? The link lets you make an organization of your own.'
          : 'Not a member yet? An owner or admin of your organization invites you, from the dashboard’s page Members.'}
      </p>
    </>
  )
}
