import type { Dispatcher } from 'undici'
import { PinRefused } from './storage.ts'

type Part = string | { name: string; bytes: Uint8Array }

/** A multipart/form-data request of these parts. */
export async function formOf(parts: Record<string, Part>): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part)
    else form.append(name, new Blob([part.bytes as Uint8Array<ArrayBuffer>]), part.name)
  }
  const encoded = new Response(form)
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  }
}

/**
 * The text of a 2xx answer. Throws PinRefused for a final refusal and an Error for 408, 429 and 5xx, which may be
 * retried.
 */
export async function acceptedTextOf({ statusCode, body }: Dispatcher.ResponseData, who: string): Promise<string> {
  const text = await body.text()
  if (statusCode === 408 || statusCode === 429 || statusCode >= 500) throw new Error(`${who} answers ${statusCode}.`)
  if (statusCode < 200 || statusCode >= 300)
    throw new PinRefused(`${who} answers ${statusCode}: ${text.trim().slice(0, 200) || 'nothing more'}.`)
  return text
}
