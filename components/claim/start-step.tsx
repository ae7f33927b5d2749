import { useLocale, useTranslations } from 'next-intl'
import { Mail } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'
import { Time } from '@/components/ui/time'
import { Step } from '@/components/shared/step'
import type { ClaimView } from './claim'

export type StartStepProps = {
  claim: ClaimView
  problem: string | null
  sending: boolean
  takeFocus: boolean
  onRequestPin: () => void
}

/** The first step: the recipient has a PIN sent to the mailbox that the link came to. */
export function StartStep({ claim, problem, sending, takeFocus, onRequestPin }: StartStepProps) {
  const t = useTranslations('claim.start')
  const locale = useLocale()
  return (
    <Step
      title={t('title')}
      takeFocus={takeFocus}
      lead={
        claim.email_hint ? (
          <Sentence>{t.rich('leadTo', { hint: claim.email_hint, email: (text) => <bdi>{text}</bdi> })}</Sentence>
        ) : (
          t('leadHere')
        )
      }
    >
      {claim.delivery.state === 'FAILED' && (
        <Alert tone="warning" title={t('failedTitle')}>
          {`${(locale === 'en' && claim.delivery.failure) || t('failedWhy')} ${t('failedNext')}`}
        </Alert>
      )}
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      <Button
        variant="primary"
        size="lg"
        busy={sending}
        onClick={onRequestPin}
        icon={<Mail aria-hidden="true" className="size-5" />}
      >
        {t('send')}
      </Button>
      {claim.expires_at && (
        <p className="text-sm text-muted">
          <Sentence>{t.rich('until', { moment: () => <Time at={claim.expires_at!} /> })}</Sentence>
        </p>
      )}
    </Step>
  )
}
