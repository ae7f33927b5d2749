import { AppError } from '../../core/errors.ts'
import { readBounded } from '../../core/read-bounded.ts'

/** A request's body, at most `maxBytes`. Throws body_too_large, before reading when Content-Length exceeds it; `maxText` names the limit. */
export function readBodyBytes(request: Request, maxBytes: number, maxText: string): Promise<Buffer> {
  const tooLarge = () => new AppError('body_too_large', `The body is larger than ${maxText}.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return Promise.reject(tooLarge())
  return readBounded(request.body, maxBytes, tooLarge)
}

/** The same as text. `maxBytes` is a multiple of 1,024. */
export const readBodyText = async (request: Request, maxBytes: number): Promise<string> =>
  (await readBodyBytes(request, maxBytes, `${maxBytes / 1024} KiB`)).toString('utf8')
