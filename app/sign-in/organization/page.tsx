import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { signOut } from '@/app/dashboard/actions'
import { ActionForm, FormField, Submit } from '@/components/dashboard/forms/action-form'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { person } from '@/lib/platform/auth/dashboard'
import { isSignUpOpen } from '@/lib/platform/auth/sign-in'
import { signUpAction } from '../actions'

export const metadata: Metadata = { title: 'New organization', robots: { index: false } }

/** Where somebody who is signed in makes an organization, if anybody may. */
export default async function NewOrganizationPage() {
  if (!isSignUpOpen()) notFound()
  const who = await person()
  if (!who) redirect('/sign-in')
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">Make an organization</h1>
        <p className="mt-2 wrap-anywhere text-muted">
          You are signed in as {who.email}, and become its owner. Until whoever runs this installation has approved it,
          it uses test networks only and mails a limited number of gifts a day.
        </p>
      </div>
      <Card>
        <ActionForm action={signUpAction}>
          <FormField name="name" label="Name of the organization" hint="Recipients see it in their mail." required>
            <Input name="name" autoComplete="organization" maxLength={200} placeholder="The River Society" />
          </FormField>
          <Submit size="lg">Make it</Submit>
        </ActionForm>
      </Card>
      <form action={signOut}>
        <Button type="submit" variant="quiet">
          Sign out
        </Button>
      </form>
    </>
  )
}
