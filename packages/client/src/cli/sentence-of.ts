import { Problem, Unreachable } from '../client.ts'
import { Misuse } from './settings.ts'

/** What to tell whoever typed a command about its failure. */
export function sentenceOf(failure: unknown): string {
  if (failure instanceof Misuse) return failure.message
  if (failure instanceof Unreachable) return 'Vitrine can’t be reached. Does it run, and is --origin right?'
  if (!(failure instanceof Problem)) return String(failure)
  const id = failure.requestId ? ` (request ${failure.requestId})` : ''
  return [`${failure.detail}${id}`, ...failure.fields.map(({ field, detail }) => `${field}: ${detail}`)].join('\n')
}
