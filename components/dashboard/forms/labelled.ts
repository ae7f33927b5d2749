import type { ActionState } from '@/lib/platform/api/form-action'

/** A failure that names values of a select names them as its options do. */
export function labelled(state: ActionState, form: HTMLFormElement | null): ActionState {
  if (!form || !state || state.ok || !state.opened) return state
  const selects = [...form.querySelectorAll('select')]
  return {
    ...state,
    issues: (state.issues ?? []).map((issue) => {
      const select = selects.find(({ name }) => name.split(':')[0] === issue.control)
      if (!issue.meanwhile || !select) return issue
      const wordOf = (value: unknown) =>
        [...select.options].find((option) => option.value === String(value ?? ''))?.text ?? value
      return { ...issue, meanwhile: { theirs: wordOf(issue.meanwhile.theirs), yours: wordOf(issue.meanwhile.yours) } }
    }),
  }
}
