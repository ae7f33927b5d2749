import { expect, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { asOwner } from '../support/as-owner.ts'
import { makeItem } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'
import { verifyFile } from '../support/verify-file.ts'

test('a test file whose records disagree in the end fails, and names what disagrees', async () => {
  const { itemId } = await makeItem(await makeOrganization())
  const setMinted = (units: number) => asOwner(`UPDATE items SET minted = ${units} WHERE id = '${itemId}'`)
  await verifyFile(env.MIGRATE_DATABASE_URL)
  await setMinted(1)
  await expect(verifyFile(env.MIGRATE_DATABASE_URL)).rejects.toThrow(
    `an item’s mints are the chain’s logs: ${itemId}: minted 1, burned 0; its history says 0 and 0`,
  )
  await setMinted(0)
})
