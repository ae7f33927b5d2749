import type { ActionFailure } from '@/lib/platform/api/form-action'

/** The result of an action when no answer arrived: it may have been carried out. */
export const NO_RESPONSE: ActionFailure = {
  ok: false,
  code: 'no_response',
  message: 'No answer arrived. It may have been done all the same: look before you send it again.',
  fields: {},
  others: [],
  issues: [],
}
