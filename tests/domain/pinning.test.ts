import type { RequestListener } from 'node:http'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archiveOf, cidOf } from '../../lib/core/cid.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { kuboPinning } from '../../lib/ports/storage/kubo.ts'
import { pinataPinning } from '../../lib/ports/storage/pinata.ts'
import { type Pinning, PinRefused } from '../../lib/ports/storage/storage.ts'
import { callerOf } from '../support/call.ts'
import { drainJobs } from '../support/jobs.ts'
import { storeOnDisk } from '../support/media.ts'
import { bytesOf, listen } from '../support/object-server.ts'
import { makeOrganization } from '../support/organization.ts'

type PinRequest = {
  path: string
  query: Record<string, string>
  authorization: string | undefined
  fields: Record<string, string>
  file: { name: string; bytes: Buffer }
}

/** A fake pinning service that records its requests and answers as `answer` says. */
async function startPinningService(
  answer: (request: PinRequest) => { status?: number; text: string } | Promise<{ status?: number; text: string }>,
): Promise<{ url: string; requests: PinRequest[] }> {
  const requests: PinRequest[] = []
  const handle: RequestListener = (incoming, outgoing) => {
    void (async () => {
      const url = new URL(incoming.url ?? '/', 'http://localhost')
      const form = await new Response(new Uint8Array(await bytesOf(incoming)), {
        headers: { 'content-type': incoming.headers['content-type'] ?? '' },
      }).formData()
      const file = form.get('file') as File
      const fields = Object.fromEntries(
        [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      )
      const request: PinRequest = {
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        authorization: incoming.headers.authorization,
        fields,
        file: { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) },
      }
      requests.push(request)
      const { status = 200, text } = await answer(request)
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })()
  }
  return { url: await listen(handle), requests }
}

const picture = { name: 'night.webp', bytes: new Uint8Array(600_000).map((_, at) => (at * 7) % 256) }

describe('Kubo', () => {
  test('gets the full chunk layout with the file, pins it and returns its CID', async () => {
    const { url, requests } = await startPinningService(async ({ file }) => ({
      text: `${JSON.stringify({ Name: file.name, Hash: await cidOf(file.bytes), Size: '600100' })}\n`,
    }))
    expect(await kuboPinning(`${url}/`).pin(picture)).toBe(await cidOf(picture.bytes))
    expect(requests).toMatchObject([
      {
        path: '/api/v0/add',
        query: { 'cid-version': '1', 'raw-leaves': 'true', chunker: 'size-262144', pin: 'true' },
        file: { name: 'night.webp' },
      },
    ])
    expect(requests[0]!.file.bytes.equals(picture.bytes)).toBe(true)
  })

  test('a 4xx is a permanent refusal (PinRefused), a 5xx or 429 is retried', async () => {
    let status = 403
    const { url } = await startPinningService(() => ({ status, text: 'Forbidden' }))
    await expect(kuboPinning(url).pin(picture)).rejects.toThrow(PinRefused)
    status = 500
    await expect(kuboPinning(url).pin(picture)).rejects.not.toBeInstanceOf(PinRefused)
  })
})

describe('Pinata', () => {
  test('gets the file as our own CAR archive, for the public network', async () => {
    const { url, requests } = await startPinningService(async () => ({
      text: JSON.stringify({ data: { id: '1', name: 'night.webp', cid: await cidOf(picture.bytes) } }),
    }))
    expect(await pinataPinning({ jwt: 'ticket', url }).pin(picture)).toBe(await cidOf(picture.bytes))
    expect(requests).toMatchObject([
      {
        path: '/v3/files',
        authorization: 'Bearer ticket',
        fields: { network: 'public', name: 'night.webp', car: 'true' },
        file: { name: 'night.webp.car' },
      },
    ])
    expect(requests[0]!.file.bytes.equals(await archiveOf(picture.bytes))).toBe(true)
  })

  test('a 4xx is a permanent refusal (PinRefused), a 5xx or 429 is retried', async () => {
    let status = 401
    const { url } = await startPinningService(() => ({ status, text: '{"error":"Not authorized"}' }))
    await expect(pinataPinning({ jwt: 'x', url }).pin(picture)).rejects.toThrow(PinRefused)
    status = 429
    await expect(pinataPinning({ jwt: 'x', url }).pin(picture)).rejects.not.toBeInstanceOf(PinRefused)
  })
})

describe('pinning an uploaded file', () => {
  let api: ReturnType<typeof callerOf>
  storeOnDisk()
  beforeAll(async () => {
    api = callerOf((await makeOrganization()).key)
  })
  beforeEach(() => replacePorts({ pinning: null }))

  let colour = 0
  const upload = async (bytes?: Buffer) => {
    const image =
      bytes ??
      (await sharp({ create: { width: 8, height: 8, channels: 3, background: { r: (colour += 40), g: 200, b: 90 } } })
        .png()
        .toBuffer())
    return {
      bytes: image,
      body: (await api.post('/v1/media', { file: { name: 'a.png', base64: image.toString('base64') } })).body,
    }
  }
  const stateOf = async (id: string) => {
    const { body } = await api.get(`/v1/media/${id}`)
    return [body.pinning, body.pin_failure]
  }
  const pinWith = (pin: Pinning['pin']) => replacePorts({ ...ports(), pinning: { pin } })

  test('a file is pinned only if a service is configured', async () => {
    const none = await upload()
    expect(await stateOf(none.body.id)).toEqual(['NONE', null])
    const pinned: string[] = []
    pinWith(async ({ name, bytes }) => {
      pinned.push(name)
      return cidOf(bytes)
    })
    const { body } = await upload()
    expect(body.pinning).toBe('PENDING')
    await drainJobs()
    expect([await stateOf(body.id), pinned]).toEqual([['PINNED', null], ['a.png']])
    // A file uploaded before the service was configured is pinned when it is uploaded again.
    expect((await upload(none.bytes)).body).toMatchObject({ id: none.body.id, pinning: 'PENDING' })
    await drainJobs()
    expect(await stateOf(none.body.id)).toEqual(['PINNED', null])
  })

  test('a CID that differs from ours is a failure that names both', async () => {
    pinWith(async () => 'bafkother')
    const { body } = await upload()
    await drainJobs()
    expect(await stateOf(body.id)).toEqual([
      'FAILED',
      `The pinning service calls this file bafkother; its CID is ${body.cid}.`,
    ])
  })

  test('a refusal is final until the file is uploaded again; an unreachable service is retried', async () => {
    pinWith(() => Promise.reject(new PinRefused('Pinata answers 401: no.')))
    const { body, bytes } = await upload()
    await drainJobs()
    expect(await stateOf(body.id)).toEqual(['FAILED', 'Pinata answers 401: no.'])
    pinWith(() => Promise.reject(new Error('connection reset')))
    await upload(bytes)
    await expect(drainJobs()).rejects.toThrow('connection reset')
    expect(await stateOf(body.id)).toEqual(['PENDING', 'The pinning service does not answer; it is asked again.'])
  })
})
