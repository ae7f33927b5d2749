import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Measured, measurerOf } from '../bench/http/peers/measure-peers.ts'
import { PER_LIST, type Peer, SOME_ITEMS, SOME_LISTS } from '../bench/http/peers/peer.ts'
import { assertRightItems } from '../bench/http/peers/start-peers.ts'
import { peersTableOf, processesTableOf } from '../bench/http/report.ts'

let server: Server | undefined
afterEach(() => void server?.close())

const ITEM = [`Item ${SOME_ITEMS.at(-1)!}`]
const LIST = Array.from({ length: PER_LIST }, (_, at) => `Item ${(SOME_LISTS.at(-1)! - 1) * PER_LIST + 1 + at}`)

/** A shop that gives these titles, whatever it is asked for. */
async function makePeer(titles: { item: string[]; list: string[] }): Promise<Peer> {
  server = createServer(
    (request, response) => void response.end(JSON.stringify(titles[request.url!.slice(1) as 'item' | 'list'])),
  )
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const ask = (path: string) => [{ method: 'GET' as const, path, headers: {} }]
  return {
    name: 'Shop',
    version: '1.2.3',
    side: { name: 'Shop', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pid: process.pid },
    questions: { item: ask('/item'), list: ask('/list') },
    titlesOf: (answer) => answer as string[],
  }
}

const measured = (statuses: Record<string, number>, errors = 0): Measured => ({
  perSecond: 100,
  requests: 200,
  p50: 1,
  p99: 2,
  bytes: 1,
  statuses,
  errors,
  cpu: 2,
  databaseCpu: 1,
})

test('a shop that gives other items than it was asked for, or fewer, is not measured', async () => {
  await expect(assertRightItems(await makePeer({ item: ITEM, list: LIST }))).resolves.toBeUndefined()
  await expect(assertRightItems(await makePeer({ item: ['Item 1'], list: LIST }))).rejects.toThrow('Item 1')
  await expect(assertRightItems(await makePeer({ item: ITEM, list: LIST.slice(1) }))).rejects.toThrow('other items')
})

test('a shop that refuses a request or leaves it unanswered fails the run', async () => {
  const peer = await makePeer({ item: ITEM, list: LIST })
  const answers = [measured({ 200: 200 }), measured({ 200: 199, 429: 1 }), measured({ 200: 200 }, 1)]
  const measure = await measurerOf([peer], 'item', 3, () => Promise.resolve(answers.shift()!))
  await expect(measure()).rejects.toThrow('429')
  await expect(measure()).rejects.toThrow('1 errors')
})

test('a shop is measured with as many requests as it answers in the time of a round', async () => {
  const amounts: number[] = []
  const measure = await measurerOf(
    [await makePeer({ item: ITEM, list: LIST })],
    'item',
    3,
    (_side, _requests, amount) => {
      amounts.push(amount)
      return Promise.resolve(measured({ 200: amount }))
    },
  )
  await measure()
  expect(amounts.at(-1)).toBe(300)
})

test('the table of shops has their versions and leaves out what they were not asked', () => {
  const row = {
    atLeast: 65,
    share: 100,
    perSecond: { vitrine: 900, bare: 900 },
    p99: 1,
    webCpu: 0.1,
    bareCpu: 0.1,
    databaseCpu: 0.05,
  }
  const peers = [{ name: 'Shop 1.2.3', perSecond: 90, times: 10, cpu: 2, databaseCpu: 1 }]
  const table = peersTableOf([
    { ...row, name: 'an item', peers },
    { ...row, name: 'a claim', peers: [] },
  ])
  expect(table.split('\n')).toEqual([
    '| asked | Vitrine/s | Shop 1.2.3/s | Vitrine : Shop 1.2.3 | Vitrine CPU ms | Shop 1.2.3 CPU ms |',
    '| --- | --- | --- | --- | --- | --- |',
    '| an item | 900 | 90 | 10.0 : 1 | 0.10 + 0.05 | 2.00 + 1.00 |',
  ])
  expect(peersTableOf([{ ...row, name: 'a claim', peers: [] }])).toBe('')
})

test('two web processes that take more than 110 % of the processor time of one are marked', () => {
  const figures = { one: { perSecond: 1, cpu: 1 }, two: { perSecond: 1, cpu: 1 } }
  const of = (together: number, each: number) => ({
    together: { ...figures, share: together },
    each: { ...figures, share: each },
  })
  const bare = of(120, 120)
  expect(processesTableOf({ vitrine: of(110, 110), bare })).not.toContain('✗')
  expect(processesTableOf({ vitrine: of(111, 110), bare })).toContain('111 % ✗')
  expect(processesTableOf({ vitrine: of(110, 112), bare })).toContain('112 % ✗')
})
