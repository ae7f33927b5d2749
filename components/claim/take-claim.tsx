import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { AskForLinks } from '@/components/shared/ask-for-links'
import { Step } from '@/components/shared/step'

type Props = {
  /** What came of the last press; null before it. */
  said: string | null
  take: () => Promise<void>
}

/** Asks before a claim that was handed over opens in this browser, which it does once. */
export function TakeClaim({ said, take }: Props) {
  if (said === 'over')
    return (
      <Step
        title="This code doesn’t work any more"
        lead="It opens what you were given once, within five minutes. Go back to the page that you came from and make a new one, or open the link in your email here."
        level={1}
        className="mx-auto max-w-md pt-6 sm:pt-14"
      >
        <AskForLinks />
      </Step>
    )
  return (
    <Step
      title="Continue here?"
      lead="You came here from another browser. What you were given opens in this one, and your PIN is asked for here."
      level={1}
      className="mx-auto max-w-md pt-6 sm:pt-14"
    >
      {said === 'later' && <Alert tone="danger">That did not work. Wait a minute and try again.</Alert>}
      <form action={take} className="grid">
        <Button type="submit" variant="primary" size="lg">
          Continue
        </Button>
      </form>
    </Step>
  )
}
