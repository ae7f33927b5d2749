import { type ActionFailure, type BulkOutcome, reasonOf } from '../api/form-action.ts'

/** Runs the same action for each row, one after the other. A row that fails doesn't stop the rest. */
export async function actOnEach(
  ids: readonly string[],
  run: (id: string) => Promise<{ ok: true } | ActionFailure>,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], failed: [] }
  for (const id of new Set(ids.map(String))) {
    const result = await run(id)
    if (result.ok) outcome.done.push(id)
    else outcome.failed.push({ id, reason: reasonOf(result), failure: result })
  }
  return outcome
}
