import type { Metadata } from 'next'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Frame } from '@/components/shared/frame'
import { mailLinksAction } from './actions'

type Props = { searchParams: Promise<{ said?: string | string[] }> }

export const metadata: Metadata = {
  title: 'Your gifts and purchases',
  robots: { index: false, follow: false },
  // Its form is accepted by its Origin, which browsers leave out under no-referrer.
  referrer: 'same-origin',
}

/** Why nothing was asked for. */
const REFUSED: Partial<Record<string, string>> = {
  rate_limited: 'That was a little fast. Wait a while and try again.',
  invalid_request: 'This isn’t a whole email address.',
  maintenance: 'We can’t take this right now. Try again in a few minutes.',
}

/** Where somebody has the links of their mailbox mailed again. It works without script. */
export default async function Page({ searchParams }: Props) {
  const { said } = await searchParams
  const refused = typeof said === 'string' && said !== 'asked' ? said : null
  return (
    <Frame>
      <form action={mailLinksAction} className="mx-auto grid max-w-md gap-5 pt-6 sm:pt-14">
        <h1 className="text-2xl font-medium">Your gifts and purchases</h1>
        {said === 'asked' && (
          <Alert tone="positive" title="Look into your mailbox" live>
            If anything waits for you there, or you bought something with this address, its links are on their way to
            you. Nothing comes where there is nothing.
          </Alert>
        )}
        {refused && (
          <Alert tone="danger" live>
            {REFUSED[refused] ?? 'That did not work. Please try again in a minute.'}
          </Alert>
        )}
        <p>
          Type the email address that a gift was sent to, or that you bought with. We mail the links of all your open
          gifts and of your purchases to it.
        </p>
        <Field label="Your email" required>
          <Input name="email" type="email" autoComplete="email" autoCapitalize="off" spellCheck={false} required />
        </Field>
        <div>
          <Button type="submit" variant="primary" size="lg">
            Mail me my links
          </Button>
        </div>
        <p className="text-sm text-muted">
          They go to this mailbox only. What has expired or was taken back is left out: ask whoever sent it.
        </p>
      </form>
    </Frame>
  )
}
