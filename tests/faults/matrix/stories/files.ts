import { expect } from 'vitest'
import { Prisma } from '../../../../generated/prisma/client.ts'
import { newId } from '../../../../lib/core/id.ts'
import { systemClient } from '../../../../lib/db/client.ts'
import { callerOf } from '../../../support/call.ts'
import { makeRandomAddress } from '../../../support/claims.ts'
import { makeCollection, makeItems } from '../../../support/collections.ts'
import { makeOrganization } from '../../../support/organization.ts'
import { eventually } from '../stage.ts'
import { makeGallery, type Story } from '../story.ts'

/** Imports claims of an edition from a file. */
export const claimsFile =
  (lines: number): Story =>
  async (stage) => {
    const { organization, itemIds } = await makeGallery({ variant: 'ERC1155', max_supply: 1_000 })
    const { db } = organization.ctx
    const emails = Array.from({ length: lines }, () => `${newId()}@example.com`)
    return {
      organization,
      act: async () => {
        const body = { item_id: itemIds[0], csv: ['email', ...emails].join('\n'), dry_run: false }
        const answer = await stage.post(organization, '/v1/email-claims/import', body)
        expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      },
      check: async () => {
        await eventually('The import', async () => (await db.import.findFirstOrThrow()).state === 'COMPLETED')
        expect(await db.import.findMany()).toMatchObject([{ doneCount: lines, failedCount: 0 }])
        const claims = await db.emailClaim.findMany()
        expect(claims.map(({ email }) => email).sort()).toEqual(emails.toSorted())
        const mails = await db.outboxMessage.findMany()
        expect(mails.map(({ toEmail }) => toEmail).sort()).toEqual(emails.toSorted())
      },
    }
  }

/** Imports items from a file. */
export const itemsFile: Story = async (stage) => {
  const organization = await makeOrganization()
  const { db } = organization.ctx
  const collection_id = await makeCollection(callerOf(organization.key))
  const titles = Array.from({ length: 450 }, (_, at) => `Item ${String(at).padStart(3, '0')}`)
  return {
    organization,
    act: () =>
      stage.post(organization, '/v1/items/import', {
        collection_id,
        csv: ['title', ...titles].join('\n'),
        dry_run: false,
      }),
    check: async () => {
      await eventually('The import', async () => (await db.import.findFirstOrThrow()).state === 'COMPLETED')
      const items = await db.item.findMany()
      expect(items.map(({ attributes }) => (attributes as { title: string }).title).sort()).toEqual(titles)
    },
  }
}

/** Locks items: they get token ids. */
export const lock: Story = async (stage) => {
  const organization = await makeOrganization()
  const api = callerOf(organization.key)
  const collection_id = await makeCollection(api)
  await makeItems(api, collection_id, 5, { lock: false })
  return {
    organization,
    act: () => stage.post(organization, '/v1/items/lock', { collection_id }),
    check: async () => {
      const items = await organization.ctx.db.item.findMany()
      expect(items.map(({ tokenId }) => tokenId).sort()).toEqual(['1', '2', '3', '4', '5'])
    },
  }
}

/** Reveals a collection’s contents. */
export const reveal: Story = async (stage) => {
  const { organization, collectionId } = await makeGallery({
    items: 4,
    collection: { reveal_strategy: 'DELAYED', preview_metadata: { title: 'A closed box' } },
  })
  const { db } = organization.ctx
  const before = (await db.item.findMany()).map(({ attributes }) => JSON.stringify(attributes))
  return {
    organization,
    act: () => stage.post(organization, `/v1/collections/${collectionId}/reveal`, {}),
    check: async () => {
      expect(await db.revealProof.count()).toBe(1)
      const after = (await db.item.findMany()).map(({ attributes }) => JSON.stringify(attributes))
      expect(after.sort()).toEqual(before.sort())
    },
  }
}

/** Downloads a file of all items. */
export const exported: Story = async (stage) => {
  const organization = await makeOrganization()
  const api = callerOf(organization.key)
  const ids = await makeItems(api, await makeCollection(api), 5, { lock: false })
  let file = ''
  return {
    organization,
    act: async () => {
      file = await eventually('The file', async () => {
        const { status, body } = await stage.request('GET', '/v1/exports/items.csv', { organization })
        return status === 200 && (body as string)
      })
    },
    check: async () => {
      for (const id of ids) expect(file.split(id)).toHaveLength(2)
      expect(file.trim().split('\n')).toHaveLength(1 + ids.length)
    },
  }
}

/** Records who has a collection’s tokens at a block. */
export const snapshot: Story = async (stage) => {
  const { organization, collectionId, itemIds } = await makeGallery({ items: 2 })
  const { db } = organization.ctx
  const to_address = makeRandomAddress()
  await callerOf(organization.key).post('/v1/mint-requests', { item_ids: itemIds, to_address })
  await eventually('The mints', async () => (await db.itemHistory.count()) === 2)
  const block_number = Number(await stage.chain.client.getBlockNumber()) + 1
  return {
    organization,
    act: async () => {
      const body = { name: newId(), collection_id: collectionId, block_number }
      const answer = await stage.post(organization, '/v1/snapshots', body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    },
    check: async () => {
      await eventually('The snapshot', async () => (await db.snapshot.findFirstOrThrow()).readyAt)
      expect(await db.snapshot.count()).toBe(1)
      const holders = await db.snapshotHolder.findMany()
      expect(holders.map(({ address, quantity }) => [address, Number(quantity)])).toEqual([[to_address, 2]])
    },
  }
}

/** A single pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Uploads a picture. */
export const upload: Story = async (stage) => {
  const organization = await makeOrganization()
  return {
    organization,
    act: async () => {
      const answer = await stage.post(organization, '/v1/media', { file: { name: 'pixel.png', base64: PIXEL } })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    },
    check: async () => {
      expect(await organization.ctx.db.mediaFile.count()).toBe(1)
      expect(await organization.ctx.db.auditEntry.count({ where: { action: 'media.uploaded' } })).toBe(1)
    },
  }
}

/** Deletes what is too old. It is done when the worker starts. */
export const retention: Story = async () => {
  const organization = await makeOrganization()
  const old = () =>
    systemClient().$queryRaw<unknown[]>(Prisma.sql`SELECT 1 FROM idempotency_records WHERE scope = ${organization.id}`)
  return {
    organization,
    act: () =>
      systemClient().$executeRaw(Prisma.sql`
        INSERT INTO idempotency_records (scope, key, body_hash, status, lease_id, lease_ends, created_at)
        SELECT ${organization.id}, at::text, '\\x00'::bytea, 201, gen_random_uuid(), now() - interval '9 days', now() - interval '9 days'
        FROM generate_series(1, 3) AS at`),
    check: async () => {
      await eventually('The deletion', async () => (await old()).length === 0)
      // Nothing of today was deleted.
      expect(await organization.ctx.db.organization.count()).toBe(1)
    },
  }
}
