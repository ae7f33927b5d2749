import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { safeString, timestamp, upload, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Media'
const params = z.object({ media_id: uuid })

export const PINNING_STATES = ['NONE', 'PENDING', 'PINNED', 'FAILED'] as const

export const mediaFile = z
  .object({
    id: uuid,
    cid: z.string().describe('CID of the original, as `ipfs add --cid-version 1` computes it.'),
    original: z
      .string()
      .describe('At most 8,192 pixels on its longer side, re-encoded: metadata of the uploaded file is removed.'),
    full: z.string().describe('At most 2,048 pixels.'),
    thumb: z.string().describe('At most 600 pixels, not animated.'),
    tiny: z.string().describe('At most 64 pixels, not animated.'),
    name: z.string().nullable().describe('The uploaded file’s name.'),
    width: z.int().describe('Width of the original in pixels.'),
    height: z.int(),
    bytes: z.int().describe('Size of the original.'),
    pinning: z
      .enum(PINNING_STATES)
      .describe('Whether the original is pinned on IPFS, where a pinning service is configured.'),
    pin_failure: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'MediaFile' })

/** A single pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const listMedia = endpoint({
  id: 'list-media',
  method: 'GET',
  path: '/v1/media',
  area,
  auth: 'api_key',
  permission: 'media:read',
  summary: 'List uploaded files',
  query: pageQuery(100).extend({
    search: safeString.nullish().describe('Part of the file’s name, in any case, or its CID.'),
    pinning: z.enum(PINNING_STATES).nullish(),
  }),
  response: pageOf(mediaFile),
})

export const uploadMedia = endpoint({
  id: 'upload-media',
  method: 'POST',
  path: '/v1/media',
  area,
  auth: 'api_key',
  permission: 'media:write',
  summary: 'Upload an image',
  description:
    'JPEG, PNG, WebP, GIF, AVIF or SVG, recognised by its content, up to 25 MiB and 50 megapixels; as the part `file` of a form, or as base64 in JSON. It is re-encoded in four sizes; the two larger ones keep animations. The same file gives the same record. Any of its URLs can be an item’s `image_url`.',
  body: z.strictObject({ file: upload }),
  response: mediaFile,
  status: 201,
  errors: ['image_invalid'],
  example: { file: { name: 'pixel.png', base64: PIXEL } },
  upload: true,
})

export const getMedia = endpoint({
  id: 'get-media',
  method: 'GET',
  path: '/v1/media/{media_id}',
  area,
  auth: 'api_key',
  permission: 'media:read',
  summary: 'Get an uploaded file',
  params,
  response: mediaFile,
})
