'use client'

/** A form, whose changes leaving would lose, or, where `isDraft`, that stay in this browser as a draft. `settle`: they are meant to be lost. */
type GuardedForm = { isChanged: () => boolean; isDraft: boolean; settle: () => void }
export type Question = { isDraft: boolean; leave: () => void }

const forms = new Set<GuardedForm>()
let ask: ((question: Question) => void) | null = null

/** Asks before this form is left with changes. Returns how to end that. */
export function guardForm(form: GuardedForm): () => void {
  forms.add(form)
  return () => void forms.delete(form)
}

/** Whether the page has a form with changes, and whether a draft of each of them stays. */
export function findUnsaved(): { isDraft: boolean } | null {
  const changed = [...forms].filter(({ isChanged }) => isChanged())
  return changed.length > 0 ? { isDraft: changed.every(({ isDraft }) => isDraft) } : null
}

/** Says who asks: the one LeaveGuard of the dashboard. */
export function setAsker(asker: typeof ask): void {
  ask = asker
}

/** Does what leaves the page by script, such as `router.push`. Where a form has changes, the person is asked first. */
export function leaveBy(leave: () => void): void {
  const unsaved = findUnsaved()
  if (unsaved && ask) ask({ ...unsaved, leave })
  else leave()
}

/**
 * Whether the session may end at once. Where a form has changes, the person is asked first, and `leave` is called once they agree. No draft
 * stays.
 */
export function mayEndSession(leave: () => void): boolean {
  if (!findUnsaved() || !ask) {
    settleAll()
    return true
  }
  const end = () => {
    settleAll()
    leave()
  }
  ask({ isDraft: false, leave: end })
  return false
}

function settleAll(): void {
  for (const { settle } of forms) settle()
}
