import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'

export type PerkToRecheck = { id: string; title: string; seller: string; left: number }

/**
 * The perks with codes that nobody has by the books. Where a backup was put back, some of these codes may have been
 * given since, and nothing outside knows of it: they may be given a second time.
 */
export const listPerksToRecheck = (worker: SystemContext): Promise<PerkToRecheck[]> =>
  worker.sql<PerkToRecheck>(Prisma.sql`
    SELECT p.id::text, p.title, o.name AS seller, p.code_count - p.given_count AS left
    FROM perks p JOIN organizations o ON o.id = p.organization_id
    WHERE p.kind = 'CODES' AND p.code_count > p.given_count ORDER BY o.name, p.id`)
