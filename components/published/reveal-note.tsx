import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Sentence } from '@/components/ui/sentence'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import type { getPublicCollection } from '@/lib/platform/api/collections'
import type { Answer } from '@/lib/platform/api/endpoint'

type Reveal = NonNullable<Answer<typeof getPublicCollection>['reveal']>

/** That items are hidden, or when they were revealed, and where the proof is that nobody chose who gets what. */
export function RevealNote({ reveal }: { reveal: Reveal }) {
  const t = useTranslations('published.reveal')
  const proof = <TextLink href={reveal.proof_url}>{t('proof')}</TextLink>
  if (reveal.state === 'HIDDEN')
    return (
      <Alert title={t('title')}>
        <span>{t('hidden')}</span> {proof}
      </Alert>
    )
  const moment = reveal.revealed_at
  return (
    <p className="text-sm text-muted">
      <span>
        {moment ? <Sentence>{t.rich('revealedOn', { moment: () => <Time at={moment} /> })}</Sentence> : t('revealed')}
      </span>{' '}
      {proof}
    </p>
  )
}
