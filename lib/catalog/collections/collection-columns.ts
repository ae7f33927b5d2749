import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import { columnsOf, newColumnsOf } from '../../core/columns-of.ts'
import type { createCollection as endpoint } from '../../platform/api/collections.ts'
import type { Input } from '../../platform/api/endpoint.ts'

type Field = Readonly<Record<string, keyof Collection>>
const SETTINGS = {
  name: 'name',
  is_public: 'isPublic',
  editable_metadata: 'editableMetadata',
  reveal_strategy: 'revealStrategy',
} as const satisfies Field
const DETAILS = {
  description: 'description',
  external_link: 'externalLink',
  image_url: 'imageUrl',
} as const satisfies Field
const MEDIA = { header_image_url: 'headerImageUrl', thumbnail_image_url: 'thumbnailImageUrl' } as const satisfies Field
const ROYALTY = { receiver: 'royaltyReceiver', amount_bps: 'royaltyBps' } as const satisfies Field

/** The columns of what creating and changing take: fields left out stay as they are, null clears. */
export const collectionColumnsOf = (body: Partial<Input<typeof endpoint>['body']>) => ({
  ...newColumnsOf(SETTINGS, body),
  ...columnsOf(DETAILS, body),
  ...columnsOf(MEDIA, body.media),
  ...columnsOf(ROYALTY, body.royalty_info),
  ...(body.default_item_type_id !== undefined && { defaultItemTypeId: typeIdOf(body.default_item_type_id) }),
  ...(body.preview_metadata !== undefined && {
    previewMetadata: (body.preview_metadata as Prisma.InputJsonObject | null) ?? Prisma.DbNull,
  }),
})

/** The item type's id; null for the built-in type, which has no row. */
export const typeIdOf = (id: string | null | undefined): string | null => (id == null || id === 'default' ? null : id)
