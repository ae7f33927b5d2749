import { randomBytes, randomUUID } from 'node:crypto'
import { inDatabase } from './database.ts'
import { stack } from './stack.ts'

/** Locked items of a deployed collection, straight in the database: for pages that ask no chain about them. */
export async function makeStock(
  organizationId: string,
  titles: readonly string[],
): Promise<{ collectionId: string; itemIds: string[] }> {
  const collectionId = randomUUID()
  const itemIds = titles.map(() => randomUUID())
  await inDatabase(
    `INSERT INTO collections (id, organization_id, name, mode, network_id, token_type, deployment_type, deployment_status, contract_address, following, next_token_id, updated_at)
     VALUES ($1, $2, $3, 'TEST', $4, 'ERC721', 'PLATFORM', 'SUCCESS', $5, true, $6, now())`,
    [
      collectionId,
      organizationId,
      `River birds ${collectionId.slice(0, 4)}`,
      stack().chain_id,
      `0x${randomBytes(20).toString('hex')}`,
      titles.length + 1,
    ],
  )
  for (const [at, id] of itemIds.entries()) {
    await inDatabase(
      'INSERT INTO items (id, organization_id, collection_id, attributes, updated_at) VALUES ($1, $2, $3, $4, now())',
      [id, organizationId, collectionId, { title: titles[at] }],
    )
    await inDatabase('UPDATE items SET token_id = $2, locked_at = now(), max_supply = 1 WHERE id = $1', [
      id,
      String(at + 1),
    ])
  }
  return { collectionId, itemIds }
}
