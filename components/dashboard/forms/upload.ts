import type { Answer } from '@/lib/platform/api/endpoint'
import type { uploadMedia } from '@/lib/platform/api/media'

export type UploadedFile = Answer<typeof uploadMedia>

const MAX_BYTES = 25 * 1024 * 1024
/** File types of the file dialog. The server decides by the content. */
export const ACCEPTED = 'image/jpeg,image/png,image/webp,image/gif,image/avif,image/svg+xml'

/** The path of a URL on our own origin, which stays valid when the origin changes. */
export const pathOf = (address: string): string => new URL(address, 'http://localhost').pathname

/** The thumbnail of an uploaded file; null for any other address, which the page doesn't load. */
export function thumbOf(address: string): string | null {
  const found = /(?:^|\/\/[^/]+)\/media\/(baf[a-z2-7]+)-(?:original|full|thumb|tiny)\.webp$/.exec(address)
  return found ? `/media/${found[1]}-thumb.webp` : null
}

export const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/**
 * Uploads one file with the member's session. `onProgress` receives the share that was sent, 0 to 1; at 1 the server is
 * processing the image. Rejects with a sentence for a person, or with an AbortError after an abort by `signal`.
 */
export function uploadFile(
  file: File,
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<UploadedFile> {
  if (file.size > MAX_BYTES) return Promise.reject(new Error(`${file.name || 'This file'} is larger than 25 MiB.`))
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch doesn't report upload progress
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
