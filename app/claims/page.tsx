import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { PageFrame } from '@/app/language/page-frame'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { mailLinksAction } from './actions'

type Props = { searchParams: Promise<{ said?: string | string[] }> }

export const generateMetadata = titled('links', 'title', {
  robots: { index: false, follow: false },
  // Its form is accepted by its Origin, which browsers leave out under no-referrer.
  referrer: 'same-origin',
})

/** Where somebody has the links of their mailbox mailed again. It works without script. */
export default async function Page({ searchParams }: Props) {
  const { said } = await searchParams
  const refused = typeof said === 'string' && said !== 'asked' ? said : null
  const t = await getTranslations('links')
  const reason = refused as 'other' // any text of the address, so it is asked for first
  return (
    <PageFrame>
      <form action={mailLinksAction} className="mx-auto grid max-w-md gap-5 pt-6 sm:pt-14">
        <h1 className="text-2xl font-medium">{t('title')}</h1>
        {said === 'asked' && (
          <Alert tone="positive" title={t('askedTitle')} live>
            {t('asked')}
          </Alert>
        )}
        {refused && (
          <Alert tone="danger" live>
            {t.has(`refused.${reason}`) ? t(`refused.${reason}`) : t('refused.other')}
          </Alert>
        )}
        <p>{t('lead')}</p>
        <Field label={t('email')} required>
          <Input name="email" type="email" autoComplete="email" autoCapitalize="off" spellCheck={false} required />
        </Field>
        <div>
          <Button type="submit" variant="primary" size="lg">
            {t('send')}
          </Button>
        </div>
        <p className="text-sm text-muted">{t('note')}</p>
      </form>
    </PageFrame>
  )
}
