import { expect } from 'vitest'
import type { Address } from 'viem'
import { callerOf } from '../../support/call.ts'
import { makeCollection, makeItems } from '../../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../../support/organization.ts'
import { systemClient } from '../../../lib/db/client.ts'
import { eventually, type Stage } from './stage.ts'

/** What one run does. `act` is done while something dies; `check` waits for its end and judges it. */
type Play = {
  organization: TestOrganization
  act: () => Promise<unknown>
  check: () => Promise<void>
}

/** Prepares what it needs while nothing dies. */
export type Story = (stage: Stage) => Promise<Play>

type Token = { contract: Address; variant: 'ERC721' | 'ERC1155' }
export type OnChain = Token & { organization: TestOrganization; collectionId: string; itemIds: string[] }

/** An organization of its own with a collection that the worker has deployed, and locked items. */
export async function makeGallery({
  items = 1,
  variant = 'ERC721' as Token['variant'],
  max_supply = undefined as number | undefined,
  collection = {} as object,
} = {}): Promise<OnChain> {
  const organization = await makeOrganization()
  const api = callerOf(organization.key)
  const collectionId = await makeCollection(api, {
    deployment_request: { network_id: 31337, platform: { symbol: 'TEST', variant } },
    ...collection,
  })
  const contract = await waitForContract(organization, collectionId)
  const itemIds = items > 0 ? await makeItems(api, collectionId, items, { max_supply }) : []
  return { organization, collectionId, contract, variant, itemIds }
}

export const waitForContract = ({ ctx }: TestOrganization, id: string): Promise<Address> =>
  eventually('The deployment', async () => {
    const row = await ctx.db.collection.findFirstOrThrow({ where: { id } })
    return row.deploymentStatus === 'SUCCESS' && (row.contractAddress as Address)
  })

/**
 * Expects one mail of each of these kinds to an address. A mail that a server took before somebody died may come again,
 * with the same Message-ID.
 */
export async function expectMails(inboxOf: (to: string) => { messageId?: string }[], to: string, kinds: string[]) {
  const rows = await eventually(`The mails to ${to}`, async () => {
    const found = await systemClient().outboxMessage.findMany({ where: { toEmail: to } })
    return found.length >= kinds.length && found.every(({ state }) => state === 'SENT') && found
  })
  expect(rows.map(({ templateType }) => templateType).sort()).toEqual(kinds.toSorted())
  expect(new Set(inboxOf(to).map(({ messageId }) => messageId))).toEqual(
    new Set(rows.map(({ messageId }) => messageId)),
  )
}
