import { Prisma } from '../../generated/prisma/client.ts'
import { systemClient } from '../../lib/db/client.ts'
import type { TestOrganization } from './organization.ts'

/** Every row of the organization as text, but for the time at which a key was last used. */
export async function contentsOf({ id }: TestOrganization): Promise<string[]> {
  const tables = await systemClient().$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'organization_id' ORDER BY 1`
  const all: string[] = []
  for (const { name } of tables) {
    const found = await systemClient().$queryRaw<{ line: string }[]>(
      Prisma.sql`SELECT (to_jsonb(t) - 'last_used_at')::text AS line FROM ${Prisma.raw(name)} t WHERE organization_id = ${id}::uuid ORDER BY 1`,
    )
    all.push(...found.map(({ line }) => `${name} ${line}`))
  }
  const [own] = await systemClient().$queryRaw<{ line: string }[]>`
    SELECT to_jsonb(o)::text AS line FROM organizations o WHERE id = ${id}::uuid`
  return [...all, `organizations ${own!.line}`]
}
