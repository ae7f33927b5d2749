import type { ActionFailure } from './action.ts'

/** What became of each row of a bulk action: nothing is hidden. */
export type BulkOutcome = { done: string[]; failed: { id: string; reason: string }[] }
export type BulkAction = (ids: string[], form: FormData) => Promise<BulkOutcome>

/** Runs the same action for one row after the other. One that fails stops none of the others. */
export async function actOnEach(
  ids: readonly string[],
  run: (id: string) => Promise<{ ok: true } | ActionFailure>,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], failed: [] }
  for (const id of new Set(ids.map(String))) {
    const done = await run(id)
    if (done.ok) outcome.done.push(id)
    else outcome.failed.push({ id, reason: reasonOf(done) })
  }
  return outcome
}

function reasonOf({ message, fields, others }: ActionFailure): string {
  const details = [...Object.values(fields).flat(), ...others]
  return details.length > 0 ? details.join(' ') : message
}
