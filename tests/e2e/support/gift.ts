import { expect } from '@playwright/test'
import { BY_CHAIN, mailTo, stack } from './stack.ts'

/** An operation of the administrative interface, with the stack's own key. */
export async function admin<Answer>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${stack().admin_base}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${stack().api_key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = response.status === 204 ? undefined : await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer as Answer
}

export async function publicly<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`${stack().public_base}/v1${path}`)
  return (await response.json()) as Answer
}

type Collection = { id: string; contract: string | null }
let deployed: Promise<Collection> | undefined

/** A deployed collection of these tests' own. */
export const collection = (): Promise<Collection> => (deployed ??= deployCollection())

async function deployCollection(): Promise<Collection> {
  const { id } = await admin<Collection>('POST', '/collections', {
    name: `River birds ${Date.now()}`,
    deployment_request: { network_id: stack().chain_id, platform: { symbol: 'BIRD', variant: 'ERC721' } },
  })
  const contract = async () => (await admin<Collection>('GET', `/collections/${id}`)).contract
  await expect.poll(contract, { ...BY_CHAIN, message: 'the collection is deployed' }).not.toBeNull()
  return { id, contract: await contract() }
}

export type Gift = { claimId: string; itemId: string; url: string; email: string; title: string }

/** An item of its own, sent to a mailbox of its own. */
export async function sendGift({
  payer = 'SELLER' as 'SELLER' | 'BUYER',
  title = 'The Night Heron',
  collectionId: given = '',
  locale = null as string | null,
  translations = {} as Record<string, { title: string; description: string }>,
} = {}): Promise<Gift> {
  const collectionId = given || (await collection()).id
  const attributes = {
    title,
    description: 'Hand-drawn for the first two hundred members of the river society.',
    series: 'River birds',
    colour: 'Teal and copper',
  }
  const item = await admin<{ id: string }>('POST', '/items', {
    collection_id: collectionId,
    attributes,
    translations,
  })
  await admin('POST', '/items/lock', { item_id: item.id })
  const email = `recipient-${item.id}@example.com`
  const claim = await admin<{ id: string; claim_url: string }>('POST', '/email-claims', {
    email,
    item_id: item.id,
    tx_payer: payer,
    ...(locale && { locale }),
  })
  return { claimId: claim.id, itemId: item.id, url: claim.claim_url, email, title }
}

/** The newest PIN in the recipient's mailbox. */
export async function pinFor(email: string, after?: Date): Promise<string> {
  const { subject, text } = await mailTo(email, /PIN|code/i, after)
  return /\b\d{6}\b/.exec(`${subject}\n${text}`)![0]
}

/** Who owns the item by the chain's own word, as our index tells it. */
export async function ownersOf(itemId: string): Promise<string[]> {
  const page = await publicly<{ results: { address: string }[] }>(`/items/${itemId}/owners`)
  return page.results.map(({ address }) => address)
}

/** The one owner of an item, waited for: a page knows of a delivery by its receipt, before its transfer is indexed. */
export async function ownerOf(itemId: string): Promise<string> {
  await expect.poll(() => ownersOf(itemId), BY_CHAIN).toHaveLength(1)
  return (await ownersOf(itemId))[0]!
}

/** One request to the chain node itself. */
export async function chain<Result>(method: string, params: unknown[]): Promise<Result> {
  const response = await fetch(stack().rpc_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as {
    result: Result
    error?: { message: string; code: number; data?: unknown }
  }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
