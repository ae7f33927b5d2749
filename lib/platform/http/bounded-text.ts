import { AppError } from '../../core/errors.ts'

/** A request's body as text; one that is larger is refused before it has been read to its end. */
export async function boundedText(request: Request, mostBytes: number): Promise<string> {
  const tooLarge = () => new AppError('body_too_large', `The body is larger than ${mostBytes / 1024} KiB.`)
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
