'use client'

/**
 * A form, whose changes leaving would lose, or, where `isDraft`, that stay in this browser as a draft. `settle`: they
 * are meant to be lost.
 */
type GuardedForm = { isChanged: () => boolean; isDraft: boolean; isSecret?: boolean; settle: () => void }
/** The things that leaving would lose. `isSecret`: a secret that the page shows this once. */
type Unsaved = { isDraft: boolean; isSecret: boolean }
export type Question = Unsaved & { leave: () => void }

const forms = new Set<GuardedForm>()
let ask: ((question: Question) => void) | null = null

/** Asks before this form is left with changes. Returns how to end that. */
export function guardForm(form: GuardedForm): () => void {
  forms.add(form)
  return () => void forms.delete(form)
}

/** Whether the page has a form with changes, and whether a draft of each of them stays. */
export function findUnsaved(): Unsaved | null {
  const changed = [...forms].filter(({ isChanged }) => isChanged())
  if (changed.length === 0) return null
  return { isDraft: changed.every(({ isDraft }) => isDraft), isSecret: changed.some(({ isSecret }) => isSecret) }
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
 * Whether the session may end at once. Where a form has changes, the person is asked first, and `leave` is called once
 * they agree. No draft stays.
 */
export function mayEndSession(leave: () => void): boolean {
  const unsaved = findUnsaved()
  if (!unsaved || !ask) {
    settleAll()
    return true
  }
  const end = () => {
    settleAll()
    leave()
  }
  ask({ ...unsaved, isDraft: false, leave: end })
  return false
}

function settleAll(): void {
  for (const { settle } of forms) settle()
}
