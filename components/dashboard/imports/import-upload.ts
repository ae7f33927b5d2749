import type { ImportKind } from './import-labels'

/** Why a file wasn't taken. `detail` is the API's sentence, in English, as are those about single fields. */
type Refused = {
  failed: 'brokeOff' | 'signedOut' | 'unreadable' | 'other'
  detail?: string | undefined
  fields: Record<string, string[]>
}

/** Uploads a file for validation, with the member's session. Returns the import's id, or what is wrong. */
export async function uploadImport(kind: ImportKind, form: FormData): Promise<{ id: string } | Refused> {
  const answer = await fetch(kind === 'ITEMS' ? '/v1/items/import' : '/v1/email-claims/import', {
    method: 'POST',
    body: form,
  }).catch(() => null)
  if (!answer) return { failed: 'brokeOff', fields: {} }
  const body = (await answer.json().catch(() => ({}))) as {
    id?: string
    detail?: string
    errors?: { field: string; detail: string }[]
  }
  if (answer.ok && body.id) return { id: body.id }
  if (answer.status === 401) return { failed: 'signedOut', fields: {} }
  const fields: Record<string, string[]> = {}
  for (const { field, detail } of body.errors ?? []) (fields[field] ??= []).push(detail)
  return Object.keys(fields).length > 0
    ? { failed: 'unreadable', fields }
    : { failed: 'other', detail: body.detail, fields }
}
