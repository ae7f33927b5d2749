'use client'

import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
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
  return (
    <Alert
      tone="info"
      live
      title={`You have an unsaved draft from ${whenOf(new Date(draft.at))}.`}
      action={
        <>
          <Button size="sm" onClick={onRestore}>
            Restore
          </Button>
          <Button size="sm" variant="quiet" onClick={onDiscard}>
            Discard
          </Button>
        </>
      }
    />
  )
}

/** "10:42" today, else with the day. */
function whenOf(at: Date): string {
  const time = at.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (at.toDateString() === new Date().toDateString()) return time
  return `${at.toLocaleDateString('en', { day: 'numeric', month: 'long' })}, ${time}`
}
