import type { z } from 'zod'
import type { MediaFile } from '../../../generated/prisma/client.ts'
import type { mediaFile } from '../../platform/api/media.ts'
import { mediaUrlsOf, stemOf } from './media-urls.ts'

export const mediaFileOf = (row: MediaFile, origin: string): z.output<typeof mediaFile> => ({
  id: row.id,
  cid: row.cid,
  ...mediaUrlsOf(stemOf(row), origin),
  name: row.name,
  width: row.width,
  height: row.height,
  bytes: row.bytes,
  pinning: row.pinning,
  pin_failure: row.pinFailure,
  created_at: row.createdAt,
})
