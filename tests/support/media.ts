import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect } from 'vitest'
import { GET as serveMedia } from '../../app/media/[name]/route.ts'
import { POST as uploadRoute } from '../../app/v1/media/route.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { diskStorage } from '../../lib/ports/storage/disk.ts'
import type { ApiResponse, callerOf } from './call.ts'

/** Stores the media of a file's or a block's tests in a folder of their own, pinned nowhere. */
export function storeOnDisk(): string {
  const dir = mkdtempSync(join(tmpdir(), 'media-'))
  beforeAll(() => replacePorts({ storage: diskStorage(dir), pinning: null }))
  afterAll(() => rmSync(dir, { recursive: true }))
  return dir
}

export const sendMedia = (
  api: ReturnType<typeof callerOf>,
  bytes: Uint8Array | string,
  name = 'picture',
  more: { still?: boolean | undefined } = {},
) => api.post('/v1/media', { file: { name, base64: Buffer.from(bytes).toString('base64') }, ...more })

/** Sends a form as a browser or curl does. */
export async function sendMediaForm(
  key: string,
  entries: [string, string | File][],
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  const response = await uploadRoute(
    new Request('http://localhost:3000/v1/media', {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${key}`, ...headers },
    }),
    { params: Promise.resolve({}) },
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}
/** A file of a form. */
export const part = (bytes: Uint8Array, name = 'a.png', type = 'image/png') =>
  new File([new Uint8Array(bytes)], name, { type })

export const nameIn = (address: string) => new URL(address).pathname.split('/').at(-1)!
export async function fileAt(address: string, serve = serveMedia): Promise<{ bytes: Buffer; headers: Headers }> {
  const response = await serve(new Request(address), { params: Promise.resolve({ name: nameIn(address) }) })
  expect(response.status, address).toBe(200)
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}
/** The bytes of a stored file of this type. */
export async function bytesAt(address: string, type = 'image/webp'): Promise<Buffer> {
  const { bytes, headers } = await fileAt(address)
  expect(headers.get('content-type'), address).toBe(type)
  return bytes
}

/** A picture of one colour. */
export const fill = (colour: string, width = 40, height = 20) =>
  sharp({ create: { width, height, channels: 3 as const, background: colour } })
