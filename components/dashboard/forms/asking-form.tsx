'use client'

import { ActionForm, type ActionFormProps } from './action-form'
import type { Confirmation } from './confirm-form'
import { useQuestion } from './use-question'

type Props = Omit<ActionFormProps, 'ask'> & {
  question: Confirmation
  /** The field without which the form is refused anyway, so that nothing is asked. */
  demanded: string
}

/** A form for what can't be undone: it asks before it is sent. */
export function AskingForm({ question, demanded, ...form }: Props) {
  const { ask, dialogOf } = useQuestion()
  return (
    <>
      <ActionForm {...form} ask={async (data) => String(data.get(demanded) ?? '').trim() === '' || ask()} />
      {dialogOf(question)}
    </>
  )
}
