import { inTransaction } from '../../lib/platform/auth/context.ts'
import { completeDeployment } from '../../lib/catalog/collections/advance-deployment.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from './call.ts'
import type { TestOrganization } from './organization.ts'

type Caller = ReturnType<typeof callerOf>
type Options = Record<string, unknown> & {
  variant?: 'ERC721' | 'ERC1155'
  platform?: object
  assignment?: 'AUTOMATIC' | 'MANUAL'
}

/** A collection without a contract, unless `options` request a deployment. */
export async function makeCollection(api: Caller, options: object = {}): Promise<string> {
  const { status, body } = await api.post('/v1/collections', { name: `Collection ${newId()}`, ...options })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id as string
}

/**
 * A collection recorded as deployed on the local network; its transaction is never sent. Needs a chain among the ports.
 */
export async function makeDeployedCollection(
  organization: TestOrganization,
  { variant = 'ERC721', platform, assignment, ...options }: Options = {},
): Promise<string> {
  const id = await makeCollection(callerOf(organization.key), {
    ...options,
    deployment_request: {
      network_id: 31337,
      token_id_assignment_strategy: assignment,
      platform: { symbol: 'TEST', variant, ...platform },
    },
  })
  await inTransaction(organization.ctx, (tx) => completeDeployment(tx, id))
  return id
}

/** Items of a collection, locked unless `lock` is false. */
export async function makeItems(
  api: Caller,
  collectionId: string,
  count = 1,
  { lock = true, attributes = {}, max_supply }: { lock?: boolean; attributes?: object; max_supply?: number } = {},
): Promise<string[]> {
  const items = Array.from({ length: count }, (_, at) => ({
    collection_id: collectionId,
    attributes: { title: `Item ${at + 1}`, ...attributes },
  }))
  const { status, body } = await api.post('/v1/items/bulk', { items })
  if (status !== 201) throw new Error(JSON.stringify(body))
  if (lock) {
    const locked = await api.post('/v1/items/lock', { item_ids: body.item_ids, max_supply })
    if (locked.status !== 201) throw new Error(JSON.stringify(locked.body))
  }
  return body.item_ids as string[]
}
