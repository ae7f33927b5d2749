import { listContents } from '../../../lib/catalog/collections/reveal.ts'
import { newId } from '../../../lib/core/id.ts'
import { exportClaims } from '../../../lib/data/exports/export-claims.ts'
import { exportItems } from '../../../lib/data/exports/export-items.ts'
import { systemClient } from '../../../lib/db/client.ts'
import { withReadableForms } from '../../../lib/platform/http/page-forms.ts'
import { makeItem } from '../claims.ts'
import { ask } from '../front-door.ts'
import { startWebServer } from '../web-server.ts'
import { type JobRow, LARGE, makeLargeItems } from './stage.ts'
import { listOf, world } from './world.ts'

async function read(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) if (piece === '') throw new Error('An empty piece.')
}

async function formRow(parts: string): Promise<() => Promise<unknown>> {
  const { url } = await startWebServer(withReadableForms(async (_, response) => void response.end()))
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'next-action': 'a'.repeat(42) }
  return () => ask(`${url}/sign-in`, { method: 'POST', headers, body: `${parts}--x--\r\n` })
}

/** Requests that read all that tenants wrote, and forms of pages. */
export const ANSWER_ROWS: JobRow[] = [
  [
    ['export of items'],
    'many large items',
    async () => {
      const collectionId = await makeLargeItems(300)
      // The query's other fields have defaults.
      return () => read(exportItems(world.organization.ctx, { collection_id: collectionId } as never))
    },
  ],
  [
    ['export of claims'],
    'many claims of a large item',
    async () => {
      const { itemId, collectionId } = await makeItem(world.organization, {
        tokenType: 'ERC1155',
        maxSupply: 999n,
        attributes: LARGE,
      })
      await systemClient().emailClaim.createMany({
        data: listOf(900, (at) => ({
          id: newId(),
          organizationId: world.organization.id,
          collectionId,
          itemId,
          email: `${at}@birds.example`,
          quantity: 1n,
          txPayer: 'SELLER' as const,
        })),
      })
      return () => read(exportClaims(world.organization.ctx, { item_id: itemId } as never))
    },
  ],
  [
    ['reveal'],
    'many large items',
    async () => {
      const collectionId = await makeLargeItems(300)
      return () => listContents(world.organization.ctx, collectionId)
    },
  ],
  [
    ['forms of pages'],
    'a form of many fields',
    () => formRow(listOf(12_000, (at) => `--x\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\n\r\n`).join('')),
  ],
  [
    ['forms of pages'],
    'a form with a long list',
    () => formRow(`--x\r\nContent-Disposition: form-data; name="0"\r\n\r\n[${'1,'.repeat(400_000)}1]\r\n`),
  ],
]
