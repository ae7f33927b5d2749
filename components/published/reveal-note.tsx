import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import type { getPublicCollection } from '@/lib/platform/api/collections'
import type { Answer } from '@/lib/platform/api/endpoint'

type Reveal = NonNullable<Answer<typeof getPublicCollection>['reveal']>

/** That items are hidden, or when they were revealed, and where the proof is that nobody chose who gets what. */
export function RevealNote({ reveal }: { reveal: Reveal }) {
  const proof = <TextLink href={reveal.proof_url}>See the proof</TextLink>
  if (reveal.state === 'HIDDEN')
    return (
      <Alert title="Not revealed yet">
        All items look the same until they are revealed. Who gets which is fixed already by a published hash. {proof}
      </Alert>
    )
  return (
    <p className="text-sm text-muted">
      {reveal.revealed_at && (
        <>
          Revealed on <Time at={reveal.revealed_at} />.{' '}
        </>
      )}
      Which item is which was fixed beforehand by a published hash. {proof}
    </p>
  )
}
