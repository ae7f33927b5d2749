'use client'

import type { ReactNode, Ref, RefObject } from 'react'
import { useImperativeHandle } from 'react'
import type { Opened } from '@/lib/platform/api/form-action'
import { DraftOffer } from './draft-offer'
import { useUnsaved } from './use-unsaved'

/**
 * `finish`: the fields were saved. `giveUp`: the dialog is closed, and what was typed goes; a draft that was offered
 * stays.
 */
export type KeptFields = { finish: () => void; giveUp: () => void }

type Props = {
  ref: Ref<KeptFields>
  form: RefObject<HTMLFormElement | null>
  draft: string
  opened: { value: Opened | undefined; put: (opened: Opened) => void }
  children: ReactNode
}

/** The fields of a dialog. A draft of them outlives what leaves the page while it is open, such as a new sign-in. */
export function DialogFields({ ref, form, draft, opened, children }: Props) {
  const unsaved = useUnsaved({ form, draft, opened })
  const { offered, finish, settle } = unsaved
  useImperativeHandle(ref, () => ({ finish, giveUp: offered ? settle : finish }))
  return (
    <div className="grid gap-4" onInput={unsaved.touched}>
      {offered && <DraftOffer draft={offered} onRestore={unsaved.restore} onDiscard={unsaved.discard} />}
      <div className="contents">{children}</div>
    </div>
  )
}
