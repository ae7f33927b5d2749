import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'

/** Explains to the sender what happens to an item that is sent to a mailbox. */
export function EmailNote({ seller, days }: { seller: string; days: number }) {
  const t = useTranslations('ownWallet.send.email')
  const names = { name: seller, seller: (name: ReactNode) => <bdi>{name}</bdi> }
  return (
    <div className="grid gap-2 rounded-md bg-well px-4 py-3 text-sm">
      <p className="font-medium">{t('title')}</p>
      <ul className="grid list-disc gap-1 ps-5 text-muted">
        <li>
          <Sentence>{t.rich('kept', { ...names, days })}</Sentence>
        </li>
        <li>
          <Sentence>{t.rich('mailed', names)}</Sentence>
        </li>
        <li>{t('back')}</li>
        <li>
          <Sentence>{t.rich('free', names)}</Sentence>
        </li>
      </ul>
    </div>
  )
}
import { Sentence } from '@/components/ui/sentence'
