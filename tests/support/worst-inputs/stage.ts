import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { systemClient } from '../../../lib/db/client.ts'
import { systemContext } from '../../../lib/platform/auth/authenticate.ts'
import type { DueWork } from '../../../lib/platform/jobs/due-work.ts'
import { type Ports, ports, replacePorts } from '../../../lib/ports/ports.ts'
import { makeItem } from '../claims.ts'
import { TITLE, world } from './world.ts'

/**
 * The jobs that it stands for, what it is, and how it is made ready: what that gives is measured, and may be done
 * again.
 */
export type JobRow = [jobs: readonly string[], name: string, begin: () => Promise<() => Promise<unknown>>]

export const LARGE = { title: TITLE, part: 'a'.repeat(64_000) }
export const worker = () => systemContext('test')
export const emptied = async (work: DueWork) => {
  while ((await work.begin()) > 0) await work.idle()
}
/** Has ports of the process replaced until the test ends. */
export function replaceForNow(given: Partial<Ports>): void {
  const before = ports()
  onTestFinished(() => replacePorts(before))
  replacePorts(given)
}

/** Many items of a collection with the largest attributes. */
export async function makeLargeItems(count: number): Promise<string> {
  const { collectionId } = await makeItem(world.organization)
  await systemClient().$executeRaw`
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, max_supply, locked_at, updated_at)
    SELECT gen_random_uuid(), ${world.organization.id}::uuid, ${collectionId}::uuid, ${JSON.stringify(LARGE)}::jsonb, n + 1, 1, now(), now()
    FROM generate_series(1, ${count}) n`
  return collectionId
}

/** A server of this process that answers by writing; returns its address. */
export async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
