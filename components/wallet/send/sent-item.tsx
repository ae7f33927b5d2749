'use client'

import { useLocale, useTranslations } from 'next-intl'
import { writingOf } from '@/components/ui/quoted'
import type { Viewer } from '../viewer'
import type { AskedSend } from './remembered-sends'
import { TransferProgress } from './transfer-progress'

type Props = {
  send: AskedSend
  viewer: Viewer
  onEnd: () => void
  /** Nothing is known of it, or it failed and the wallet doesn't have the item. */
  onForget: () => void
}

/** How far the send of an item is that the wallet doesn't have any more. */
export function SentItem({ send, viewer, onEnd, onForget }: Props) {
  const t = useTranslations('ownWallet.transfer')
  const locale = useLocale()
  const { title, seller = t('organization') } = send.mailbox ?? {}
  return (
    <div className="mx-auto grid w-full max-w-md grid-cols-[minmax(0,1fr)] gap-6 wrap-anywhere">
      {title && (
        <p {...writingOf(title, locale)} className="label-caps text-muted wrap-anywhere">
          {title}
        </p>
      )}
      <TransferProgress {...{ send, seller, viewer, onEnd }} network={null} onAgain={onForget} />
    </div>
  )
}
