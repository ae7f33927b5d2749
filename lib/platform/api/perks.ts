import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, flag, optional, safeString, timestamp, upload, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'

const area = 'Perks'
const params = z.object({ perk_id: uuid })
const heldParams = z.object({ eth_address: address, item_id: uuid })
const heldPerkParams = heldParams.extend({ perk_id: uuid })

export const PERK_KINDS = ['TEXT', 'LINK', 'FILE', 'CODES'] as const
/** Codes that one request may bring. */
export const MAX_CODES_SENT = 10_000
export const MAX_PERK_FILE_BYTES = 10 * 1024 * 1024

const title = safeString
  .trim()
  .min(1)
  .describe('What holders get, in a few words. Shown to everybody where `is_public` says so.')
const IS_PUBLIC = 'Whether public pages say, by the title, that holders get this. What it is they never say.'
const text = z.string().trim().min(1).max(10_000).describe('Plain text; line breaks are kept.')
const url = z
  .string()
  .trim()
  .max(2_000)
  .pipe(z.url({ protocol: /^https$/, error: 'An https address is needed.' }))
  .refine((given) => !URL.canParse(given) || new URL(given).username === '', {
    error: 'The address must hold no user name or password.',
  })
  .describe('An https address.')
const code = safeString.trim().min(1)
const codes = z.array(code).min(1).max(MAX_CODES_SENT)

const kind = z.enum(PERK_KINDS).describe('What holders get.')
const shownTitle = z.string().describe('What holders get, in a few words.')
const file = z.object({ name: z.string().describe('The file’s name.'), bytes: z.int().describe('Its size.') })
const given_at = timestamp.describe('When it was given.')

export const perk = z
  .object({
    id: uuid,
    collection_id: uuid,
    item_id: uuid.nullable().describe('null: it comes with each item of the collection.'),
    kind,
    title: shownTitle,
    is_public: z.boolean().describe(IS_PUBLIC),
    text: z.string().nullable().describe('Of a TEXT.'),
    url: z.string().nullable().describe('Of a LINK.'),
    file: file.nullable().describe('Of a FILE: its name and size. Only holders download it.'),
    codes: z
      .object({
        total: z.int().describe('How many there are.'),
        given: z.int().describe('How many were given.'),
        left: z.int().describe('How many can still be given.'),
      })
      .nullable()
      .describe('Of CODES.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Perk' })

export const listPerks = endpoint({
  id: 'list-perks',
  method: 'GET',
  path: '/v1/perks',
  area,
  auth: 'api_key',
  permission: 'items:read',
  summary: 'List perks',
  query: pageQuery().extend({
    collection_id: uuid.nullish().describe('Those that come with each item of a collection.'),
    item_id: uuid.nullish().describe('Those of an item alone.'),
  }),
  response: pageOf(perk),
})

export const createPerk = endpoint({
  id: 'create-perk',
  method: 'POST',
  path: '/v1/perks',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Create a perk',
  description:
    'Name an item, or a collection whose items all come with it, and give one of text, url, file and codes. ' +
    'A file has up to 10 MiB, as the part `file` of a form or as base64 in JSON; it has no public address. ' +
    'Each code is given once. At most 50 for an item, and 50 for a collection. ' +
    'Single items of a collection that isn’t revealed yet can’t have any: it would tell what they are.',
  body: z.strictObject({
    collection_id: optional(uuid).describe('A collection, each item of which comes with it.'),
    item_id: optional(uuid).describe('One item.'),
    title,
    is_public: optional(flag).describe(`${IS_PUBLIC} true unless given.`),
    text: optional(text),
    url: optional(url),
    file: optional(upload),
    codes: optional(codes).describe('Different codes, up to 10,000; more can be added later.'),
  }),
  response: perk,
  status: 201,
  errors: ['not_found', 'conflict'],
  example: {
    item_id: '0199a9e0-1f6a-7b1f-8abc-3d5f6a7b8c91',
    title: 'A seat at the opening',
    codes: ['MOON-1', 'MOON-2'],
  },
  upload: true,
})

export const getPerk = endpoint({
  id: 'get-perk',
  method: 'GET',
  path: '/v1/perks/{perk_id}',
  area,
  auth: 'api_key',
  permission: 'items:read',
  summary: 'Get a perk',
  params,
  response: perk,
})

export const updatePerk = endpoint({
  id: 'update-perk',
  method: 'PATCH',
  path: '/v1/perks/{perk_id}',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Edit a perk',
  description: 'A file can’t be exchanged: delete the perk and create another one.',
  params,
  body: z.strictObject({
    title: title.optional(),
    is_public: z.boolean().optional().describe(IS_PUBLIC),
    text: text.optional().describe('Of a TEXT.'),
    url: url.optional().describe('Of a LINK.'),
  }),
  response: perk,
  example: { title: 'Two seats at the opening' },
})

export const deletePerk = endpoint({
  id: 'delete-perk',
  method: 'DELETE',
  path: '/v1/perks/{perk_id}',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Delete a perk',
  description: 'Holders see it no more, and who got which of its codes is deleted with it.',
  params,
  response: noContent,
  status: 204,
})

export const addPerkCodes = endpoint({
  id: 'add-perk-codes',
  method: 'POST',
  path: '/v1/perks/{perk_id}/codes',
  area,
  auth: 'api_key',
  permission: 'items:write',
  summary: 'Add codes to a perk',
  description: 'Codes that it has already are left out. At most 100,000 in all.',
  params,
  body: z.strictObject({ codes: codes.describe('Up to 10,000.') }),
  response: z.object({ added: z.int().describe('How many of them are new.'), perk }).meta({ id: 'AddedCodes' }),
  errors: ['conflict'],
  example: { codes: ['MOON-3', 'MOON-4'] },
})

export const givenCode = z
  .object({
    id: uuid,
    code: z.string().nullable().describe('The code; null without the permission items:write.'),
    item_id: uuid.describe('The item that its holder got it for.'),
    unit: z.int().describe('For which unit of the item, counted from 1 in the order of giving.'),
    address: address.describe('Who held the unit and got the code.'),
    given_at,
  })
  .meta({ id: 'GivenCode' })

export const listPerkCodes = endpoint({
  id: 'list-perk-codes',
  method: 'GET',
  path: '/v1/perks/{perk_id}/codes',
  area,
  auth: 'api_key',
  permission: 'items:read',
  summary: 'List who got which code',
  description: 'Newest first. Codes that nobody got yet aren’t shown.',
  params,
  query: pageQuery().extend({ address: address.nullish() }),
  response: pageOf(givenCode),
})

export const publicPerk = z
  .object({
    id: uuid,
    kind,
    title: shownTitle,
    codes_left: z.int().nullable().describe('Of CODES: how many nobody has got yet.'),
    codes_given: z
      .int()
      .nullable()
      .describe(
        'Of CODES: for how many units of this item one was given already. A later holder of such a unit gets none.',
      ),
  })
  .meta({ id: 'PublicPerk' })

export const listItemPerks = endpoint({
  id: 'list-item-perks',
  method: 'GET',
  path: '/public/v1/items/{item_id}/perks',
  area,
  auth: 'anonymous',
  summary: 'List what holders of an item get',
  description: 'The titles that the organization shows to everybody, not what they stand for.',
  params: z.object({ item_id: uuid }),
  query: pageQuery(),
  response: pageOf(publicPerk),
})

const proof = safeString.describe('What proveWallet gave.')

export const heldPerk = z
  .object({
    id: uuid,
    kind,
    title: shownTitle,
    text: z.string().nullable().describe('Of a TEXT.'),
    url: z.string().nullable().describe('Of a LINK.'),
    file: file.nullable().describe('Of a FILE.'),
    codes: z
      .array(z.object({ code: z.string().describe('The code.'), given_at }))
      .nullable()
      .describe('Of CODES: those that this address got for this item.'),
    codes_open: z.int().nullable().describe('Of CODES: how many this address can take now.'),
    codes_left: z.int().nullable().describe('Of CODES: how many nobody has got yet.'),
  })
  .meta({ id: 'HeldPerk' })

export const openPerks = endpoint({
  id: 'open-perks',
  method: 'POST',
  path: '/public/v1/wallets/{eth_address}/items/{item_id}/perks',
  area,
  auth: 'anonymous',
  summary: 'See what an address gets as holder of an item',
  description:
    'Only for whoever proves that the address is theirs, ' +
    'and who owns the item both in the latest block and in the last final one. ' +
    'It gives no code; `POST /public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/codes` does.',
  params: heldParams,
  body: z.strictObject({ proof }),
  response: z
    .object({
      state: z
        .enum(['HELD', 'CONFIRMING'])
        .describe('CONFIRMING: the item arrived in a block that isn’t final yet. Nothing is shown until it is.'),
      results: z.array(heldPerk).describe('What comes with the item.'),
    })
    .meta({ id: 'HeldPerks' }),
  errors: ['signature_invalid', 'suspended', 'unavailable'],
  example: { proof: '1795180200000.0.QmVmb3JlIG5pbmU' },
})

export const takePerkCodes = endpoint({
  id: 'take-perk-codes',
  method: 'POST',
  path: '/public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/codes',
  area,
  auth: 'anonymous',
  summary: 'Take the codes of a perk',
  description:
    'One for each unit of the item that the address owns and for which none was given yet, up to 100 at once. ' +
    'Repeated, it shows the same codes again. A code that was given for a unit is used up, ' +
    'also when the unit is sold.',
  params: heldPerkParams,
  body: z.strictObject({ proof }),
  response: heldPerk,
  errors: ['signature_invalid', 'suspended', 'conflict', 'recovering', 'unavailable'],
  example: { proof: '1795180200000.0.QmVmb3JlIG5pbmU' },
})

export const downloadPerkFile = endpoint({
  id: 'download-perk-file',
  method: 'GET',
  path: '/public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/file',
  area,
  auth: 'anonymous',
  summary: 'Download the file of a perk',
  description: 'Its bytes as they were uploaded, whatever they are, for saving and never for showing.',
  params: heldPerkParams,
  query: z.object({ proof: safeString.nullish().describe('What proveWallet gave.') }),
  response: z.string().meta({ contentMediaType: 'application/octet-stream', description: 'The file.' }),
  contentType: 'application/octet-stream',
  stream: 'file',
  errors: ['signature_invalid', 'suspended', 'conflict', 'unavailable'],
})
