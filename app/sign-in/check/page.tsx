import type { Metadata } from 'next'
import { MailCheck } from 'lucide-react'
import { TextLink } from '@/components/ui/text-link'
import { isSignUpOpen } from '@/lib/platform/auth/sign-in'

export const metadata: Metadata = { title: 'Check your mail' }

export default function CheckMailPage() {
  return (
    <>
      <MailCheck aria-hidden="true" className="size-10 text-glass" strokeWidth={1.4} />
      <div>
        <h1 className="text-3xl font-medium">Check your mail</h1>
        <p className="mt-2 text-muted">
          {isSignUpOpen()
            ? 'A link is on its way.'
            : 'If an organization here knows your address, a link is on its way.'}{' '}
          It works once and for an hour. Open it in this browser.
        </p>
      </div>
      <p className="text-sm text-muted">
        Nothing after a minute? Look into the spam folder, or <TextLink href="/sign-in">try another address</TextLink>.
      </p>
    </>
  )
}
