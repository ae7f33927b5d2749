import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { SetupForm } from '@/components/dashboard/members/setup-form'
import { Card } from '@/components/ui/card'
import { Sentence } from '@/components/ui/sentence'
import { TextLink } from '@/components/ui/text-link'
import { isSetUp } from '@/lib/members/issue-setup-link'
import { setUpContext } from '@/lib/platform/auth/narrow-contexts'
import { pageRequestId } from '@/lib/platform/auth/page-request-id'
import { setUpAction } from '../actions'

// Without any referrer, browsers would hide the origin of the form that signs in.
export const generateMetadata = titled('dashboard.signIn', 'setup.title', {
  robots: { index: false },
  referrer: 'same-origin',
})

/** Where a setup link leads. The link's token stays in the browser until the form is sent. */
export default async function SetupPage() {
  const t = await getTranslations('dashboard.signIn.setup')
  if (await isSetUp(setUpContext(await pageRequestId())))
    return (
      <>
        <h1 className="text-3xl font-medium">{t('done')}</h1>
        <p className="text-muted">
          <Sentence>{t.rich('doneLead', { signIn: (text) => <TextLink href="/sign-in">{text}</TextLink> })}</Sentence>
        </p>
      </>
    )
  return (
    <>
      <div>
        <h1 className="text-3xl font-medium">{t('heading')}</h1>
        <p className="mt-2 text-muted">{t('lead')}</p>
      </div>
      <Card>
        <SetupForm action={setUpAction} />
      </Card>
    </>
  )
}
