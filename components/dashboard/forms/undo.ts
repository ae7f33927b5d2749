'use client'

import type { ActionState, FormAction } from '@/lib/platform/api/form-action'
import { toast } from '@/components/ui/toaster'
import { NO_RESPONSE } from './no-response'

/** How long what was done can be undone from its toast. */
export const UNDO_MS = 10_000

/** Says what was done, and offers to undo it with what was sent. */
export function toastDone(state: ActionState, sent: FormData, undo: FormAction | undefined): void {
  if (!state?.ok || !state.message) return
  const isOffered = undo !== undefined && state.canUndo !== false
  toast.success(state.message, isOffered ? { duration: UNDO_MS, action: actionOf(undo, sent) } : undefined)
}

const actionOf = (undo: FormAction, sent: FormData) => ({
  label: 'Undo',
  onClick: () => void runUndo(undo, sent),
})

async function runUndo(undo: FormAction, sent: FormData): Promise<void> {
  const state = await undo(null, sent).catch((): ActionState => NO_RESPONSE)
  if (state?.ok) toast.success(state.message ?? 'It is undone.')
  else toast.error(['This can’t be undone any more.', state?.message].filter(Boolean).join(' '))
}
