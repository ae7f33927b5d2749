import { Prisma } from '../../generated/prisma/client.ts'
import { systemScope } from './scope.ts'

/** The major version of the server and its clock. Throws when it doesn't answer. */
export async function readServerFacts(): Promise<{ version: number; now: Date }> {
  const [facts] = await systemScope().sql<{ version: number; now: Date }>(Prisma.sql`
    SELECT current_setting('server_version_num')::int / 10000 AS version, clock_timestamp() AS now`)
  return facts!
}
