import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { PageFrame } from '@/app/language/page-frame'
import { readerOf } from '@/app/unsubscribe/reader'
import { Button } from '@/components/ui/button'
import { AppError } from '@/lib/core/errors'
import { pageRequestId } from '@/lib/platform/auth/page-request-id'
import { isOptedOut } from '@/lib/messaging/opt-outs/is-opted-out'
import { findSeller } from '@/lib/organizations/find-seller'

type Props = { params: Promise<{ token: string }> }

export const generateMetadata = titled('optOut', 'page', {
  robots: { index: false, follow: false },
  // The form of its language switch is accepted by its Origin, which browsers leave out under no-referrer.
  referrer: 'same-origin',
})

/** Where somebody stops an organization's gifts by mail, or gets them again. It works without script. */
export default async function Page({ params }: Props) {
  const { token } = await params
  const reader = await readerOf(token, { requestId: await pageRequestId(), clientAddress: '' }).catch(
    (error: unknown) => {
      if (error instanceof AppError && error.status === 404) notFound()
      throw error
    },
  )
  const { ctx, email } = reader
  const [seller, isOut] = await Promise.all([findSeller(ctx, ctx.organizationId), isOptedOut(ctx, email)])
  const t = await getTranslations('optOut')
  const names = { sender: seller?.name ?? t('sender'), email }
  return (
    <PageFrame seller={seller}>
      <form
        method="post"
        action={`/unsubscribe/${encodeURIComponent(token)}`}
        className="mx-auto grid max-w-md gap-5 pt-6 sm:pt-14"
      >
        <h1 className="text-2xl font-medium">{isOut ? t('outTitle') : t('inTitle', names)}</h1>
        <p className="wrap-anywhere">{t(isOut ? 'out' : 'in', names)}</p>
        <p className="text-sm text-muted">{t(isOut ? 'outStill' : 'inStill')}</p>
        <input type="hidden" name="from" value="page" />
        <input type="hidden" name="undo" value={isOut ? '1' : '0'} />
        <div>
          <Button type="submit" variant={isOut ? 'secondary' : 'primary'}>
            {t(isOut ? 'again' : 'leave')}
          </Button>
        </div>
      </form>
    </PageFrame>
  )
}
