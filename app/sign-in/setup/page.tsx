import type { Metadata } from 'next'
import { SetupForm } from '@/components/dashboard/members/setup-form'
import { Card } from '@/components/ui/card'
import { TextLink } from '@/components/ui/text-link'
import { isSetUp } from '@/lib/members/issue-setup-link'
import { signInContext } from '@/lib/platform/auth/sign-in'
import { setUpAction } from '../actions'

// Without any referrer, browsers would hide the origin of the form that signs in.
export const metadata: Metadata = { title: 'Set up', robots: { index: false }, referrer: 'same-origin' }

/** Where a setup link leads. The link's token stays in the browser until the form is sent. */
export default async function SetupPage() {
  if (await isSetUp(signInContext()))
    return (
      <>
        <h1 className="text-3xl font-medium">This installation is set up</h1>
        <p className="text-muted">
          Setup links don’t work any more. <TextLink href="/sign-in">Sign in</TextLink> instead.
        </p>
      </>
    )
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">Set up Vitrine</h1>
        <p className="mt-2 text-muted">
          You make the first organization and become its owner. Nothing is mailed; you are signed in at once.
        </p>
      </div>
      <Card>
        <SetupForm action={setUpAction} />
      </Card>
    </>
  )
}
