import type { z } from 'zod'
import type { Perk } from '../../../generated/prisma/client.ts'
import type { perk } from '../../platform/api/perks.ts'
import { unsealPerk } from './perk-content.ts'

/** A perk as its organization sees it. Throws `KeyMissing` where no listed key opens its content. */
export const perkOf = (row: Omit<Perk, 'organizationId'>): z.output<typeof perk> => ({
  id: row.id,
  collection_id: row.collectionId,
  item_id: row.itemId,
  kind: row.kind,
  title: row.title,
  is_public: row.isPublic,
  ...contentOf(row),
  codes:
    row.kind === 'CODES' ? { total: row.codeCount, given: row.givenCount, left: row.codeCount - row.givenCount } : null,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})

/** The values of the fields of a perk's kind; those of other kinds are null. */
export function contentOf(row: Pick<Perk, 'id' | 'kind' | 'content' | 'fileName' | 'fileBytes'>) {
  const content =
    row.kind === 'TEXT' || row.kind === 'LINK' ? unsealPerk<{ text?: string; url?: string }>(row.id, row.content) : {}
  return {
    text: content.text ?? null,
    url: content.url ?? null,
    file: row.fileName !== null && row.fileBytes !== null ? { name: row.fileName, bytes: row.fileBytes } : null,
  }
}
