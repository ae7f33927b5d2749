import type { Locale } from '@/lib/core/locales'
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
  const found = /(?:^|\/\/[^/]+)\/media\/(baf[a-z2-7]+(?:-[a-z]+)?)-(?:original|full|thumb|tiny)\.[a-z]{3,4}$/.exec(
    address,
  )
  return found ? `/media/${found[1]}-thumb.webp` : null
}

/** The size of a file, written as the page's language writes numbers. */
export function sizeOf(bytes: number, locale: Locale): string {
  const [value, unit, places] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB', 0] : [bytes / 1024 / 1024, 'MiB', 1]
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false }
  return `${Math.max(places === 0 ? 1 : 0, value).toLocaleString(locale, digits)} ${unit}`
}

/** Why a file wasn't uploaded. `problem`: the code and the sentence of the server's answer. */
export class UploadFailure extends Error {
  readonly reason: 'tooLarge' | 'brokeOff' | 'signedOut' | 'refused'
  readonly problem: { code: string; detail: string } | null

  constructor(reason: UploadFailure['reason'], problem: UploadFailure['problem'] = null) {
    super(reason)
    this.reason = reason
    this.problem = problem
  }
}

/** Refused because only a still picture of the file could be stored; uploaded with `still`, it is. */
export const losesMovement = (failure: unknown): boolean =>
  failure instanceof UploadFailure && failure.problem?.code === 'movement_lost'

/**
 * Uploads one file with the member's session. `onProgress` receives the share that was sent, 0 to 1; at 1 the server is
 * processing the image. Rejects with an UploadFailure, or with an AbortError after an abort by `signal`.
 */
export function uploadFile(
  file: File,
  {
    still = false,
    onProgress,
    signal,
  }: { still?: boolean; onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<UploadedFile> {
  if (file.size > MAX_BYTES) return Promise.reject(new UploadFailure('tooLarge'))
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch doesn't report upload progress
    const form = new FormData()
    form.set('file', file, file.name || 'pasted')
    if (still) form.set('still', 'true')
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onProgress?.(1)
    request.onload = () =>
      request.status === 201 ? resolve(request.response as UploadedFile) : reject(failureOf(request))
    request.onerror = () => reject(new UploadFailure('brokeOff'))
    request.onabort = () => reject(new DOMException('Given up.', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.open('POST', '/v1/media')
    request.responseType = 'json'
    request.send(form)
  })
}

function failureOf({ status, response }: XMLHttpRequest): UploadFailure {
  if (status === 401) return new UploadFailure('signedOut')
  const { code, detail } = (response ?? {}) as { code?: unknown; detail?: unknown }
  return new UploadFailure('refused', typeof detail === 'string' ? { code: String(code), detail } : null)
}
