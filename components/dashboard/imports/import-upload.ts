import type { ImportKind } from './import-labels'

export type ImportProblem = { message: string; fields: Record<string, string[]> }

/** Uploads a file for validation, with the member's session. Returns the import's id, or what is wrong. */
export async function uploadImport(kind: ImportKind, form: FormData): Promise<{ id: string } | ImportProblem> {
  const answer = await fetch(kind === 'ITEMS' ? '/v1/items/import' : '/v1/email-claims/import', {
    method: 'POST',
    body: form,
  }).catch(() => null)
  if (!answer) return { message: 'The upload broke off. Please try again.', fields: {} }
  const body = (await answer.json().catch(() => ({}))) as {
    id?: string
    detail?: string
    errors?: { field: string; detail: string }[]
  }
  if (answer.ok && body.id) return { id: body.id }
  if (answer.status === 401) return { message: 'You are signed out. Sign in again, then send the file.', fields: {} }
  const fields: Record<string, string[]> = {}
  for (const { field, detail } of body.errors ?? []) (fields[field] ??= []).push(detail)
  return {
    message:
      Object.keys(fields).length > 0
        ? 'This file can’t be read like that.'
        : (body.detail ?? 'That did not work. Please try again.'),
    fields,
  }
}
