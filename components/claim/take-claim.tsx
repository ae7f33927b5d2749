import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { AskForLinks } from '@/components/shared/ask-for-links'
import { Step } from '@/components/shared/step'
import { WithoutCookies } from '@/components/shared/without-cookies'

type Props = {
  /** The outcome of the last press; null before it. */
  said: string | null
  take: () => Promise<void>
}

/** Asks before a claim that was handed over opens in this browser, which it does once. */
export function TakeClaim({ said, take }: Props) {
  const t = useTranslations('claim.take')
  if (said === 'over')
    return (
      <Step title={t('overTitle')} lead={t('overLead')} level={1} className="mx-auto max-w-md pt-6 sm:pt-14">
        <AskForLinks />
      </Step>
    )
  return (
    <Step title={t('title')} lead={t('lead')} level={1} className="mx-auto max-w-md pt-6 sm:pt-14">
      {said === 'later' && <Alert tone="danger">{t('later')}</Alert>}
      <WithoutCookies
        otherwise={
          <form action={take} className="grid">
            <Button type="submit" variant="primary" size="lg">
              {t('continue')}
            </Button>
          </form>
        }
      >
        <Alert tone="warning">{t('noCookies')}</Alert>
      </WithoutCookies>
    </Step>
  )
}
