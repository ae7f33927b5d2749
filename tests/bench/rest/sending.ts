import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../http/median.ts'
import type { Stack } from '../http/sides.ts'

const TIMES = 20
/** Between two, so that each finds an installation with nothing to do. */
const REST_MS = 2_000
const LOOK_MS = 5

/** How many milliseconds pass, in the median, from the answer to a mint request until the chain has its transaction. */
export async function msUntilSent({ origin, api_key: key, demo }: Stack): Promise<number> {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${await response.text()}`)
    return (await response.json()) as T
  }
  const taken: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const { id: item_id } = await ask<{ id: string }>('POST', '/v1/items', {
      collection_id: demo.collection_id,
      attributes: { title: 'Sent' },
    })
    await ask('POST', '/v1/items/lock', { item_ids: [item_id] })
    await wait(REST_MS)
    const to_address = `0x${randomBytes(20).toString('hex')}`
    const asked = { item_id, to_address }
    const { mint_requests: made } = await ask<{ mint_requests: { id: string }[] }>('POST', '/v1/mint-requests', asked)
    const answered = performance.now()
    const path = `/v1/mint-requests/${made[0]!.id}`
    while ((await ask<{ state: string }>('GET', path)).state === 'WAITING') await wait(LOOK_MS)
    taken.push(performance.now() - answered)
  }
  return median(taken)
}
