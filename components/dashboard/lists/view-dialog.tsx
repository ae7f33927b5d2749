'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { type ActionFailure, type ActionState, OPENED_FIELD, type Opened } from '@/lib/platform/api/form-action'
import type { SavedView } from '@/lib/platform/api/saved-views'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useFailureTexts } from '../forms/failure-texts'
import { NO_RESPONSE } from '../forms/no-response'
import { useToastDone } from '../forms/undo'
import type { ViewActions } from './view-actions'

type Props = {
  open: 'save' | 'edit' | null
  onClose: () => void
  list: string
  query: string
  /** The view that is shown. */
  view: SavedView | undefined
  actions: ViewActions
}

/** Names a new view, or renames or deletes the one that is shown. */
export function ViewDialog({ open, onClose, list, query, view, actions }: Props) {
  const t = useTranslations('dashboard.common.views')
  const toastDone = useToastDone()
  const { inWords } = useFailureTexts()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ActionFailure | null>(null)

  async function run(work: () => Promise<ActionState>, sent = new FormData(), undo?: () => Promise<ActionState>) {
    setBusy(true)
    const state = await work().catch((): ActionState => NO_RESPONSE)
    setBusy(false)
    setFailure(state && !state.ok ? inWords(state) : null)
    if (!state?.ok) return
    onClose()
    toastDone(state, sent, undo)
  }

  function close() {
    setFailure(null)
    onClose()
  }

  /** Whoever sends it again after a refusal has seen what is there. */
  function withOpened(form: FormData, opened: Opened = {}): FormData {
    form.set(OPENED_FIELD, JSON.stringify(failure?.opened ?? opened))
    return form
  }

  const send = (form: FormData) =>
    open === 'edit' && view
      ? run(() => actions.rename(view.id, null, withOpened(form, { name: view.name })))
      : run(() => actions.save(null, withOpened(formOf({ list, query, name: form.get('name') }))))
  const remove = (gone: SavedView) =>
    run(
      () => actions.remove(gone.id),
      undefined,
      () => actions.save(null, formOf(gone)),
    )

  const isNew = open !== 'edit'
  const wrong = isNew && failure?.opened ? [t('taken')] : (failure?.fields.name ?? null)
  return (
    <Dialog
      title={isNew ? t('save') : t('this')}
      description={isNew ? t('lead') : undefined}
      open={open !== null}
      onOpenChange={(next) => !next && close()}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void send(new FormData(event.currentTarget))
        }}
      >
        <Field label={t('name')} error={wrong} required>
          <Input
            key={view?.id ?? 'new'}
            name="name"
            defaultValue={isNew ? '' : view?.name}
            maxLength={60}
            autoComplete="off"
          />
        </Field>
        {failure && !wrong && (
          <Alert tone="danger" live>
            {failure.message}
          </Alert>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {!isNew && view && (
            <Button variant="danger" onClick={() => void remove(view)} className="me-auto">
              {t('delete')}
            </Button>
          )}
          <DialogClose />
          <Button type="submit" variant="primary" busy={busy}>
            {isNew ? t('doSave') : t('rename')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The view as the action takes it, to save it or to save it again. */
function formOf({ list, name, query }: { list: string; name: unknown; query: string }): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries({ list, name, query })) form.set(field, String(value))
  return form
}
