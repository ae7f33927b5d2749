import type { Answer } from '@/lib/platform/api/endpoint'
import type { uploadMedia } from '@/lib/platform/api/media'

export type UploadedFile = Answer<typeof uploadMedia>

const MOST_BYTES = 25 * 1024 * 1024
/** What a file dialog offers; the server looks at the content, whatever the name. */
export const ACCEPTED = 'image/jpeg,image/png,image/webp,image/gif,image/avif,image/svg+xml'

/** The path of an address on our own origin, so that it stays right when the origin changes. */
export const pathOf = (address: string): string => new URL(address, 'http://localhost').pathname

/** The small picture of an uploaded file that `address` names; null when it names something else, which isn't called up. */
export function thumbOf(address: string): string | null {
  const found = /(?:^|\/\/[^/]+)\/media\/(baf[a-z2-7]+)-(?:original|full|thumb|tiny)\.webp$/.exec(address)
  return found ? `/media/${found[1]}-thumb.webp` : null
}

export const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/**
 * Sends one file with the session of whoever is signed in. `onProgress` hears the share that has arrived, 0 to 1; at 1 it is being
 * drawn. Rejects with a sentence for a person, and with an AbortError when `signal` gave it up.
 */
export function uploadFile(
  file: File,
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<UploadedFile> {
  if (file.size > MOST_BYTES) return Promise.reject(new Error(`${file.name || 'This file'} is larger than 25 MiB.`))
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch doesn't tell how much has been sent
    const form = new FormData()
    form.set('file', file, file.name || 'pasted')
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onProgress?.(1)
    request.onload = () =>
      request.status === 201 ? resolve(request.response as UploadedFile) : reject(new Error(wordsOf(request)))
    request.onerror = () => reject(new Error('The upload broke off. Please try again.'))
    request.onabort = () => reject(new DOMException('Given up.', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.open('POST', '/v1/media')
    request.responseType = 'json'
    request.send(form)
  })
}

function wordsOf({ status, response }: XMLHttpRequest): string {
  const detail = (response as { detail?: unknown } | null)?.detail
  if (status === 401) return 'You are signed out. Sign in again, then upload it.'
  return typeof detail === 'string' ? detail : 'That did not work. Please try again.'
}
