import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { browserInWords } from '@/components/dashboard/passkeys/browser-in-words'
import { PasskeyForm } from '@/components/dashboard/passkeys/passkey-form'
import { PasskeySignIn } from '@/components/dashboard/passkeys/passkey-sign-in'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { signedInVisit } from '@/lib/platform/auth/dashboard'
import { listPasskeys } from '@/lib/platform/auth/passkeys'
import { chooseOrganization, signOut } from '../../dashboard/actions'
import { beginRegistrationAction, beginSignInAction, finishRegistrationAction, finishSignInAction } from './actions'

export const generateMetadata = titled('dashboard.signIn', 'passkey.title')

/** For a session that no passkey made, of an organization that asks for one. */
export default async function PasskeyNeededPage() {
  const { ctx, memberships, needsPasskey } = await signedInVisit()
  if (!needsPasskey) redirect('/dashboard')
  const t = await getTranslations('dashboard.signIn')
  const tBrowser = await getTranslations('dashboard.common.browser')
  const current = memberships.find(({ organizationId }) => organizationId === ctx.organizationId)
  const others = memberships.filter(({ organizationId }) => organizationId !== ctx.organizationId)
  const hasPasskey = (await listPasskeys(ctx)).length > 0
  const form = (
    <PasskeyForm
      begin={beginRegistrationAction}
      finish={finishRegistrationAction}
      name={browserInWords(tBrowser, (await headers()).get('user-agent'))}
      next="/dashboard"
    />
  )
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">{t('passkey.title')}</h1>
        <p className="mt-2 wrap-anywhere text-muted">
          {t('passkey.lead', { organization: current?.name ?? t('passkey.thisOrganization') })}
        </p>
      </div>
      {hasPasskey && (
        <Card>
          <PasskeySignIn begin={beginSignInAction} finish={finishSignInAction} variant="primary" />
        </Card>
      )}
      <Card
        title={hasPasskey ? t('passkey.lost') : t('passkey.register')}
        description={hasPasskey ? t('passkey.lostLead') : t('passkey.registerLead')}
      >
        {form}
      </Card>
      <div className="flex flex-wrap gap-2">
        {others.map(({ organizationId, name }) => (
          <form key={organizationId} action={chooseOrganization.bind(null, organizationId)}>
            <Button type="submit" variant="quiet">
              {t('passkey.open', { name })}
            </Button>
          </form>
        ))}
        <form action={signOut}>
          <Button type="submit" variant="quiet">
            {t('signOut')}
          </Button>
        </form>
      </div>
    </>
  )
}
