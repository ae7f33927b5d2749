import type { ActionFailure } from '@/lib/platform/api/form-action'

/** The result of an action when the server didn't answer. */
export const NO_RESPONSE: ActionFailure = {
  ok: false,
  code: 'internal',
  message: 'That did not work. Please try again.',
  fields: {},
  others: [],
  issues: [],
}
