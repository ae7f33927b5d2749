import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CALLBACK_PATH } from '@/lib/platform/auth/sign-in'

export const generateMetadata = titled('dashboard.signIn', 'title', { robots: { index: false } })

/** Where a sign-in link leads. Nothing is read or changed before the button is pressed. */
export default async function ConfirmPage({ searchParams }: PageProps<'/sign-in/confirm'>) {
  const { token, email, callbackUrl, organization } = await searchParams
  if (typeof token !== 'string' || typeof email !== 'string') redirect('/sign-in?error=Verification')
  const t = await getTranslations('dashboard.signIn')
  const query = new URLSearchParams({
    token,
    email,
    ...(typeof callbackUrl === 'string' && { callbackUrl }),
    ...(typeof organization === 'string' && { organization }),
  })
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">{t('title')}</h1>
        <p className="mt-2 wrap-anywhere text-muted">{t('confirm.lead', { email })}</p>
      </div>
      <Card>
        <form method="post" action={`${CALLBACK_PATH}?${query}`} className="grid">
          <Button type="submit" variant="primary" size="lg">
            {t('openDashboard')}
          </Button>
        </form>
      </Card>
    </>
  )
}
