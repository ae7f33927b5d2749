'use client'

import type { ReactElement } from 'react'
import { useState } from 'react'
import { type Confirmation, ConfirmForm } from './confirm-form'

/** A question before a form is sent: `ask` resolves with its answer, `dialogOf` is where it is asked. */
export function useQuestion() {
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | null>(null)

  async function ask(): Promise<boolean> {
    const confirmed = await new Promise<boolean>((resolve) => setAnswer(() => resolve))
    setAnswer(null)
    return confirmed
  }

  const dialogOf = (confirmation: Confirmation): ReactElement => (
    <ConfirmForm
      {...confirmation}
      open={answer !== null}
      onOpenChange={(open) => !open && answer?.(false)}
      busy={false}
      problem={null}
      onConfirm={async () => answer?.(true)}
    />
  )

  return { ask, dialogOf }
}
