import { getTranslations } from 'next-intl/server'
import { MailCheck } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { Sentence } from '@/components/ui/sentence'
import { TextLink } from '@/components/ui/text-link'
import { isSignUpOpen } from '@/lib/platform/auth/sign-in'

export const generateMetadata = titled('dashboard.signIn', 'check.title')

export default async function CheckMailPage() {
  const t = await getTranslations('dashboard.signIn.check')
  return (
    <>
      <MailCheck aria-hidden="true" className="size-10 text-glass" strokeWidth={1.4} />
      <div>
        <h1 className="text-3xl font-medium">{t('title')}</h1>
        <p className="mt-2 text-muted">{isSignUpOpen() ? t('sent') : t('sentIfKnown')}</p>
      </div>
      <p className="text-sm text-muted">
        <Sentence>{t.rich('nothing', { again: (text) => <TextLink href="/sign-in">{text}</TextLink> })}</Sentence>
      </p>
    </>
  )
}
