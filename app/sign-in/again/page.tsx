import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { OauthButtons } from '@/components/dashboard/members/oauth-buttons'
import { PasskeySignIn } from '@/components/dashboard/passkeys/passkey-sign-in'
import { Card } from '@/components/ui/card'
import { signedInVisit } from '@/lib/platform/auth/dashboard'
import { oauthNames } from '@/lib/platform/auth/next-auth'
import { listPasskeys } from '@/lib/platform/auth/passkeys'
import { dashboardPathOf } from '@/lib/platform/auth/sign-in'
import { askForLinkAgain } from '../actions'
import { beginSignInAction, finishSignInAction } from '../passkey/actions'

export const generateMetadata = titled('dashboard.signIn', 'again.title')

/** For changes that need a recent sign-in; it leads back to the page of the change. */
export default async function SignInAgainPage({ searchParams }: PageProps<'/sign-in/again'>) {
  const { ctx } = await signedInVisit()
  const { actor } = ctx
  if (actor.type !== 'member') redirect('/sign-in')
  const { return_to } = await searchParams
  const returnTo = dashboardPathOf(typeof return_to === 'string' ? return_to : undefined)
  const [others, passkeys, t] = [oauthNames(), await listPasskeys(ctx), await getTranslations('dashboard.signIn')]
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">{t('again.title')}</h1>
        <p className="mt-2 wrap-anywhere text-muted">{t('again.lead', { email: actor.email })}</p>
      </div>
      <Card>
        <ActionForm action={askForLinkAgain.bind(null, returnTo)}>
          <Submit size="lg">{t('sendLink')}</Submit>
        </ActionForm>
        {passkeys.length > 0 && (
          <div className="mt-5 border-t pt-5">
            <PasskeySignIn begin={beginSignInAction} finish={finishSignInAction} returnTo={returnTo} />
          </div>
        )}
        {others.length > 0 && <OauthButtons providers={others} returnTo={returnTo} />}
      </Card>
    </>
  )
}
