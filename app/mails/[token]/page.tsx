import { randomUUID } from 'node:crypto'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { readerOf } from '@/app/unsubscribe/reader'
import { Frame } from '@/components/shared/frame'
import { Button } from '@/components/ui/button'
import { AppError } from '@/lib/core/errors'
import { isOptedOut } from '@/lib/messaging/opt-outs/is-opted-out'
import { findSeller } from '@/lib/organizations/find-seller'

type Props = { params: Promise<{ token: string }> }

export const metadata: Metadata = {
  title: 'Your mails',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
}

/** Where somebody stops an organization's gifts by mail, or gets them again. It works without script. */
export default async function Page({ params }: Props) {
  const { token } = await params
  const reader = await readerOf(token, { requestId: randomUUID(), clientAddress: '' }).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) notFound()
    throw error
  })
  const { ctx, email } = reader
  const [seller, isOut] = await Promise.all([findSeller(ctx, ctx.organizationId), isOptedOut(ctx, email)])
  const name = seller?.name ?? 'the sender'
  return (
    <Frame seller={seller}>
      <form
        method="post"
        action={`/unsubscribe/${encodeURIComponent(token)}`}
        className="mx-auto grid max-w-md gap-5 pt-6 sm:pt-14"
      >
        <h1 className="text-2xl font-medium">{isOut ? 'You are unsubscribed' : `Gifts from ${name}`}</h1>
        <p className="wrap-anywhere">
          {isOut
            ? `${name} sends no more gifts and reminders to ${email}.`
            : `${name} may send gifts and reminders of them to ${email}.`}
        </p>
        <p className="text-sm text-muted">
          {isOut
            ? 'What you pay for or ask for still reaches you: PINs, receipts and deliveries.'
            : 'Without them you still get what you pay for or ask for: PINs, receipts and deliveries.'}
        </p>
        <input type="hidden" name="from" value="page" />
        <input type="hidden" name="undo" value={isOut ? '1' : '0'} />
        <div>
          <Button type="submit" variant={isOut ? 'secondary' : 'primary'}>
            {isOut ? 'Get these mails again' : 'Unsubscribe'}
          </Button>
        </div>
      </form>
    </Frame>
  )
}
