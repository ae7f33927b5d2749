import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ActionForm, FormField, Submit } from '@/components/dashboard/forms/action-form'
import { OauthButtons } from '@/components/dashboard/members/oauth-buttons'
import { PasskeySignIn } from '@/components/dashboard/passkeys/passkey-sign-in'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { person, visitor } from '@/lib/platform/auth/dashboard'
import { setUpContext } from '@/lib/platform/auth/narrow-contexts'
import { oauthNames } from '@/lib/platform/auth/next-auth'
import { pageRequestId } from '@/lib/platform/auth/page-request-id'
import { isSignUpOpen } from '@/lib/platform/auth/sign-in'
import { isSetUp } from '@/lib/members/issue-setup-link'
import { askForLink } from './actions'
import { beginSignInAction, finishSignInAction } from './passkey/actions'

export const generateMetadata = titled('dashboard.signIn', 'title')

/** next-auth's error codes that are explained. */
const REASONS = ['Verification', 'AccessDenied', 'Maintenance', 'OAuthAccountNotLinked'] as const

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  if ((await visitor()) || (isSignUpOpen() && (await person()))) redirect('/dashboard')
  const { error } = await searchParams
  const [t, tCommon] = await Promise.all([getTranslations('dashboard.signIn'), getTranslations('dashboard.common')])
  const known = REASONS.find((code) => code === String(error))
  const reason = error !== undefined && (known ? t(`reasons.${known}`) : tCommon('retry'))
  const others = oauthNames()
  const isNew = !(await isSetUp(setUpContext(await pageRequestId())))
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">{t('title')}</h1>
        <p className="mt-2 text-muted">{t('lead')}</p>
      </div>
      {isNew && (
        <Alert tone="warning" title={t('notSetUp')}>
          {t('notSetUpLead')}
        </Alert>
      )}
      {reason && (
        <Alert tone="warning" live>
          {reason}
        </Alert>
      )}
      <Card>
        <ActionForm action={askForLink}>
          <FormField name="email" label={t('email')} required>
            <Input name="email" type="email" autoComplete="email" inputMode="email" placeholder={t('emailExample')} />
          </FormField>
          <Submit size="lg">{t('sendLink')}</Submit>
        </ActionForm>
        <div className="mt-5 border-t pt-5">
          <PasskeySignIn begin={beginSignInAction} finish={finishSignInAction} />
        </div>
        {others.length > 0 && <OauthButtons providers={others} />}
      </Card>
      <p className="text-sm text-muted">{isSignUpOpen() ? t('newHere') : t('notMember')}</p>
    </>
  )
}
