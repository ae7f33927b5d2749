'use client'

import { useTranslations } from 'next-intl'
import { type ActionState, type FormAction, OPENED_FIELD } from '@/lib/platform/api/form-action'
import { toast } from '@/components/ui/toaster'
import { useFailureTexts } from './failure-texts'
import { NO_RESPONSE } from './no-response'

/** How long what was done can be undone from its toast. */
export const UNDO_MS = 10_000

/** Says what was done, or that nothing was changed, and offers to undo it with what was sent. */
export function useToastDone() {
  const t = useTranslations('dashboard.common')
  const { inWords } = useFailureTexts()

  async function runUndo(undo: FormAction, sent: FormData): Promise<void> {
    const state = await undo(null, sent).catch((): ActionState => NO_RESPONSE)
    if (state?.ok) toast.success(state.message ?? t('undone'))
    else toast.error([t('notUndone'), state && inWords(state).message].filter(Boolean).join(' '))
  }

  return (state: ActionState, sent: FormData, undo: FormAction | undefined): void => {
    if (!state?.ok) return
    if (state.opened && sent.get(OPENED_FIELD) === JSON.stringify(state.opened)) return void toast(t('unchanged'))
    if (!state.message) return
    const isOffered = undo !== undefined && state.canUndo !== false
    const action = isOffered && { label: t('undo'), onClick: () => void runUndo(undo, sent) }
    toast.success(state.message, action ? { duration: UNDO_MS, action } : undefined)
  }
}
