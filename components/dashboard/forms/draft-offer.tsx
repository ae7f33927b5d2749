'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { deviceNow } from '@/components/shared/server-clock'
import type { Draft } from './drafts'

/** Offers what was entered here earlier and not saved. */
export function DraftOffer({
  draft,
  onRestore,
  onDiscard,
}: {
  draft: Draft
  onRestore: () => void
  onDiscard: () => void
}) {
  const t = useTranslations('dashboard.common.draft')
  const format = useFormatter()
  /** "10:42" today, else with the day. */
  function whenOf(at: Date): string {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const time = format.dateTime(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
    if (at.toDateString() === new Date(deviceNow()).toDateString()) return time
    return t('dayAndTime', { day: format.dateTime(at, { day: 'numeric', month: 'long', timeZone }), time })
  }
  return (
    <Alert
      tone="info"
      live
      title={t('offer', { when: whenOf(new Date(draft.at)) })}
      action={
        <>
          <Button size="sm" onClick={onRestore}>
            {t('restore')}
          </Button>
          <Button size="sm" variant="quiet" onClick={onDiscard}>
            {t('discard')}
          </Button>
        </>
      }
    />
  )
}
