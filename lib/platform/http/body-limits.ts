import { endpoints } from '../api/index.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** A file in an upload. */
export const MAX_FILE_BYTES = 25 * MIB
/** A body with a file: a form's framing, or base64, adds to it. */
export const MAX_UPLOAD_BYTES = MAX_FILE_BYTES + 10 * MIB
export const MAX_CARD_EVENT_BYTES = 256 * KIB
export const MAX_MAIL_EVENT_BYTES = 512 * KIB
/** The forms of sign-in and of the sandbox's card provider. */
export const MAX_FORM_BYTES = 64 * KIB
/** Any other body, the dashboard's forms included. */
export const MAX_BODY_BYTES = MIB

const uploads = endpoints
  .filter((endpoint) => endpoint.upload)
  .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))

/** The most bytes that the body of a request to this path (with or without a query) may have, whatever the method. */
export function maxBodyBytesOf(url: string): number {
  const path = url.split('?', 1)[0]!
  if (path.startsWith('/webhooks/cards/')) return MAX_CARD_EVENT_BYTES
  if (path.startsWith('/webhooks/mail/')) return MAX_MAIL_EVENT_BYTES
  if (path.startsWith('/api/auth/') || path.startsWith('/sandbox/cards/')) return MAX_FORM_BYTES
  return uploads.some((pattern) => pattern.test(path)) ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES
}

/** A limit as people read it: `1 MiB`. Of an upload, its file's. */
export const sizeText = (bytes: number): string =>
  bytes === MAX_UPLOAD_BYTES ? sizeText(MAX_FILE_BYTES) : bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`
