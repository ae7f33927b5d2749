import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a local HTTP server that ends with the test; returns its address. */
export async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function bytesOf(incoming: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export type ObjectServer = {
  url: string
  objects: Map<string, { bytes: Buffer; type: string | undefined }>
  signed: string[]
  down: boolean
  /** How it answers whoever writes; null: it writes. */
  refusal: { status: number; code: string } | null
}

/** The part of S3 that we use: PUT, GET and DELETE of objects by path, with S3's error bodies. */
export async function startObjectServer(bucket: string): Promise<ObjectServer> {
  const server: ObjectServer = { url: '', objects: new Map(), signed: [], down: false, refusal: null }
  server.url = await listen((incoming, outgoing) => {
    void (async () => {
      const bytes = await bytesOf(incoming)
      const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
      server.signed.push(incoming.headers.authorization ?? '')
      const xml = (status: number, code: string) =>
        outgoing
          .writeHead(status, { 'content-type': 'application/xml' })
          .end(
            `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message><RequestId>1</RequestId></Error>`,
          )
      if (server.down) return xml(500, 'InternalError')
      if (server.refusal && incoming.method !== 'GET') return xml(server.refusal.status, server.refusal.code)
      if (!pathname.startsWith(`/${bucket}/`)) return xml(404, 'NoSuchBucket')
      if (incoming.method === 'PUT') {
        server.objects.set(pathname, { bytes, type: incoming.headers['content-type'] })
        return outgoing.writeHead(200, { etag: '"1"' }).end()
      }
      if (incoming.method === 'DELETE') {
        server.objects.delete(pathname)
        return outgoing.writeHead(204).end()
      }
      const object = server.objects.get(pathname)
      if (!object) return xml(404, 'NoSuchKey')
      return outgoing
        .writeHead(200, {
          'content-type': object.type ?? 'binary/octet-stream',
          'content-length': object.bytes.length,
          etag: '"1"',
        })
        .end(object.bytes)
    })()
  })
  return server
}

/** The settings of a process that stores its files in a bucket of this server. */
export const bucketSettings = ({ url }: Pick<ObjectServer, 'url'>, bucket = 'pictures') => ({
  S3_BUCKET: bucket,
  S3_ENDPOINT: url,
  S3_ACCESS_KEY_ID: 'AKIA',
  S3_SECRET_ACCESS_KEY: 'hidden',
})
