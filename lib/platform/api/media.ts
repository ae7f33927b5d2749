import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { flag, safeString, timestamp, upload, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Media'
const params = z.object({ media_id: uuid })

export const PINNING_STATES = ['NONE', 'PENDING', 'PINNED', 'FAILED'] as const

export const media = z
  .object({
    image: z
      .object({
        cid: z
          .string()
          .nullable()
          .describe('CID of our copy; null until there is one, and until then the four URLs are the given one.'),
        full: z.string(),
        original: z.string(),
        thumb: z.string(),
        tiny: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'Media' })

export const mediaFile = z
  .object({
    id: uuid,
    cid: z.string().describe('CID of the original, as `ipfs add --cid-version 1` computes it.'),
    original: z
      .string()
      .describe(
        'The uploaded file with each of its pixels. Metadata is cut out of it, ' +
          'except how it is turned and its colour profile. An SVG is drawn as WebP. ' +
          'A file that was stored before originals were kept is a WebP of at most 8,192 pixels on its longer side.',
      ),
    full: z.string().describe('At most 2,048 pixels, WebP.'),
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
    'JPEG, PNG, WebP, GIF, AVIF or SVG, recognised by its content, up to 25 MiB and 50 megapixels; ' +
    'as the part `file` of a form, or as base64 in JSON. It is stored as it is, without its metadata, ' +
    'and in three more sizes as WebP: without loss up to 256 pixels a side or 256 colours. The original and `full` ' +
    'keep animations of GIF and WebP; other moving pictures are refused (`movement_lost`) unless `still` is true. ' +
    'The same file gives the same record. Any of its URLs can be an item’s `image_url`.',
  body: z.strictObject({
    file: upload,
    still: flag.default(false).describe('Store a still picture of an animated SVG, PNG or AVIF.'),
  }),
  response: mediaFile,
  status: 201,
  errors: ['image_invalid', 'movement_lost'],
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
