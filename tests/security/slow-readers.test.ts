import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Application } from '../../lib/platform/http/http-server.ts'
import { until } from '../support/until.ts'
import { startWebServer } from '../support/web-server.ts'

const REQUEST = 'GET /v1/items HTTP/1.1\r\nHost: vitrine.example\r\n\r\n'
const BODY = Buffer.alloc(8 * 1024 * 1024, 'a')

/** Sends requests and reads nothing. The answers that were begun are noted. */
async function askWithoutReading(requests: number, answer: (response: ServerResponse) => void) {
  const begun: ServerResponse[] = []
  const application: Application = async (_, response) => {
    begun.push(response)
    answer(response)
  }
  const { port } = await startWebServer(application)
  const client = connect(port, '127.0.0.1')
  client.pause()
  onTestFinished(() => void client.destroy())
  await once(client, 'connect')
  client.write(REQUEST.repeat(requests))
  await until('An answer', () => begun.length > 0)
  return { begun, socket: begun[0]!.socket as Socket }
}

test('a client that takes nothing of its answer for 30 seconds is cut off', async () => {
  const { socket } = await askWithoutReading(1, (response) => void response.end(BODY))
  expect(socket.timeout).toBe(30_000)
  expect(socket.writableLength).toBeGreaterThan(0)
  socket.emit('timeout')
  expect(socket.destroyed).toBe(true)
})

test('a client whose answer takes longer than that to make is not', async () => {
  const { begun, socket } = await askWithoutReading(1, () => undefined)
  expect(socket.timeout).toBe(30_000)
  socket.emit('timeout')
  expect(socket.destroyed).toBe(false)
  begun[0]!.end('late')
  await once(begun[0]!, 'finish')
})

test('of a client that sends many requests and takes no answer, one is in work', async () => {
  const { begun, socket } = await askWithoutReading(100, (response) => void response.end(BODY))
  await until('All requests', () => socket.bytesRead > 100 * 40)
  expect(begun).toHaveLength(1)
})

test('requests that are sent without waiting are answered in their order', async () => {
  let count = 0
  const { port } = await startWebServer(async (_, response) => void response.end(`answer ${++count};`))
  const client = connect(port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.write(REQUEST.repeat(5))
  let text = ''
  client.on('data', (data: Buffer) => void (text += data.toString()))
  await until('The answers', () => text.split(';').length > 5)
  expect(text.match(/answer \d/g)).toEqual([1, 2, 3, 4, 5].map((each) => `answer ${each}`))
})

test('of requests that are sent without waiting, no more than 100 wait: a further one is refused in its turn and ends the connection', async () => {
  const begun: ServerResponse[] = []
  const { port, bytesRead } = await startWebServer(async (_, response) => {
    begun.push(response)
    if (begun.length > 1) response.end()
  })
  const client = connect(port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  let text = ''
  client.on('data', (data: Buffer) => void (text += data.toString()))
  const sent = REQUEST.repeat(150)
  client.write(sent)
  await until('All requests', () => bytesRead() === sent.length)
  begun[0]!.end()
  await once(client, 'close')
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array<string>(101).fill('HTTP/1.1 200'), 'HTTP/1.1 503'])
  expect(text).toContain('"code":"overloaded"')
  expect(begun).toHaveLength(101)
})

test('of a client that sends without end before it has its first answer, no more is read', async () => {
  const { port, bytesRead } = await startWebServer(async () => undefined)
  const client = connect(port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined)
  client.write(REQUEST.repeat(200_000))
  let known = -1
  await until('The end of what is read', () => known === (known = bytesRead()) && known > 0)
  expect(known).toBeLessThan(1024 * 1024)
})
