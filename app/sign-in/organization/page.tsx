import { notFound, redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { signOut } from '@/app/dashboard/actions'
import { ActionForm, FormField, Submit } from '@/components/dashboard/forms/action-form'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { person } from '@/lib/platform/auth/dashboard'
import { isSignUpOpen } from '@/lib/platform/auth/sign-in'
import { signUpAction } from '../actions'

export const generateMetadata = titled('dashboard.signIn', 'organization.title', { robots: { index: false } })

/** Where somebody who is signed in makes an organization, if anybody may. */
export default async function NewOrganizationPage() {
  if (!isSignUpOpen()) notFound()
  const who = await person()
  if (!who) redirect('/sign-in')
  const t = await getTranslations('dashboard.signIn')
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">{t('organization.heading')}</h1>
        <p className="mt-2 wrap-anywhere text-muted">{t('organization.lead', { email: who.email })}</p>
      </div>
      <Card>
        <ActionForm action={signUpAction}>
          <FormField name="name" label={t('organization.name')} hint={t('organization.nameHint')} required>
            <Input
              name="name"
              autoComplete="organization"
              maxLength={200}
              placeholder={t('organization.nameExample')}
            />
          </FormField>
          <Submit size="lg">{t('organization.make')}</Submit>
        </ActionForm>
      </Card>
      <form action={signOut}>
        <Button type="submit" variant="quiet">
          {t('signOut')}
        </Button>
      </form>
    </>
  )
}
