'use client'

import { forgetStored, readStored, writeStored } from '@/components/shared/browser-storage'
import { deviceNow } from '@/components/shared/server-clock'
import type { Opened } from '@/lib/platform/api/form-action'
import type { Values } from './form-values'

/**
 * The values that were entered in a form and not saved. `came`: the values that the page came with. `parts`: values
 * that the form keeps besides its fields, such as the rows of a list. `opened`: the values that it is compared with
 * when it is saved.
 */
export type Draft = {
  at: string
  came: Values
  values: Values
  parts: Record<string, unknown>
  opened?: Opened | undefined
}

const PREFIX = 'vitrine-draft/'
/** Changes when drafts of earlier releases can't be read any more. */
const SHAPE = 2
const KEPT_DAYS = 30

/** `owner`: the organization and the member. */
export const draftName = (owner: string, form: string): string => `${PREFIX}${owner}/${form}`

export function readDraft(name: string): Draft | null {
  const draft = parsed(readStored(name) ?? '')
  return draft && deviceNow() - Date.parse(draft.at) < KEPT_DAYS * 86_400_000 ? draft : null
}

function parsed(stored: string): Draft | null {
  try {
    const draft = JSON.parse(stored) as Draft & { shape: number }
    return draft.shape === SHAPE ? draft : null
  } catch {
    return null
  }
}

/** null deletes it. */
export const writeDraft = (name: string, draft: Draft | null): void =>
  writeStored(name, draft && JSON.stringify({ shape: SHAPE, ...draft }))

/** Deletes the drafts of everybody in this browser. */
export const forgetDrafts = (): void => forgetStored(PREFIX)
