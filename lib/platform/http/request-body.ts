import { AppError } from '../../core/errors.ts'
import { readBounded } from '../../core/read-bounded.ts'
import { sizeText } from './body-limits.ts'

export const bodyTooLarge = (maxBytes: number) =>
  new AppError('body_too_large', `The body is larger than ${sizeText(maxBytes)}.`)

/**
 * A request's body, at most `maxBytes`. Throws body_too_large, before reading when Content-Length exceeds it, and invalid_request when the
 * client breaks off.
 */
export async function readBodyBytes(request: Request, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  return readBounded(request.body, maxBytes, () => bodyTooLarge(maxBytes)).catch((error: unknown) => {
    throw error instanceof AppError ? error : new AppError('invalid_request', 'The body broke off.', { cause: error })
  })
}

/** The same as text. */
export const readBodyText = async (request: Request, maxBytes: number): Promise<string> =>
  (await readBodyBytes(request, maxBytes)).toString('utf8')

/** The same as a form, url-encoded or multipart. Throws invalid_request for a body that isn't one. */
export const readBodyForm = async (request: Request, maxBytes: number): Promise<FormData> =>
  formOf(request.headers.get('content-type') ?? '', await readBodyBytes(request, maxBytes))

/** A form that was read whole, by its content type. Throws invalid_request. */
export async function formOf(type: string, bytes: Buffer): Promise<FormData> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
  if (!form) throw new AppError('invalid_request', 'The body is not a valid form.')
  return form
}
