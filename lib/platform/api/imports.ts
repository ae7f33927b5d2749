import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { flag, optional, timestamp, upload, uuid } from '../../core/wire.ts'
import { itemTypeId } from './attributes.ts'
import { endpoint } from './endpoint.ts'
import { TX_PAYERS } from './public-claims.ts'
import { STORY } from './story.ts'

const area = 'Imports'
const params = z.object({ import_id: uuid })

export const MAX_IMPORT_ROWS = 100_000
/** How many rows the response to an upload shows; the others are in the list of rows. */
export const SHOWN_IMPORT_ROWS = 100
export const IMPORT_KINDS = ['ITEMS', 'EMAIL_CLAIMS'] as const
export const IMPORT_STATES = ['JUDGED', 'RUNNING', 'COMPLETED', 'CANCELLED'] as const
export const ROW_VERDICTS = ['OK', 'DUPLICATE', 'INVALID'] as const
export const ROW_STATES = ['WAITING', 'DONE', 'FAILED', 'SKIPPED'] as const

export const importRow = z
  .object({
    line: z.int().describe('The line in the file; the heading is line 1.'),
    fields: z.record(z.string(), z.string()).describe('The cells by column name.'),
    verdict: z.enum(ROW_VERDICTS),
    reasons: z.array(z.string()).describe('Why it is not OK, a sentence each.'),
    state: z.enum(ROW_STATES).describe('SKIPPED: left out, for its verdict or because the import was cancelled.'),
    result_id: uuid.nullable().describe('The item or claim that was created.'),
    failure: z.string().nullable(),
    done_at: timestamp.nullable(),
  })
  .meta({ id: 'ImportRow' })

const importColumn = z
  .object({
    name: z.string(),
    means: z.string().nullable().describe('The field it fills; null: nothing reads the column.'),
  })
  .meta({ id: 'ImportColumn' })

export const importRecord = z
  .object({
    id: uuid,
    kind: z.enum(IMPORT_KINDS),
    state: z.enum(IMPORT_STATES),
    file_name: z.string().nullable(),
    options: z.object({
      collection_id: uuid.nullable(),
      item_id: uuid.nullable(),
      item_type_id: itemTypeId.nullable(),
      campaign_id: uuid.nullable(),
      tx_payer: z.enum(TX_PAYERS).nullable(),
      ignore_columns: z.array(z.string()),
    }),
    columns: z.array(importColumn),
    unknown_columns: z
      .array(z.string())
      .describe(
        'Columns of claims that nothing reads: the import starts only when they are listed in `ignore_columns`.',
      ),
    row_count: z.int(),
    ok_count: z.int(),
    duplicate_count: z.int(),
    invalid_count: z.int(),
    waiting_count: z.int().describe('Rows that are not done yet.'),
    done_count: z.int(),
    failed_count: z.int(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    lines_deleted_at: timestamp
      .nullable()
      .describe('When its lines were deleted, but for those that made an item: some months after its end.'),
  })
  .meta({ id: 'Import' })

const checkedImport = importRecord
  .extend({ rows: z.array(importRow).describe(`The first ${SHOWN_IMPORT_ROWS} rows with their verdicts.`) })
  .meta({ id: 'JudgedImport' })

const source = {
  file: optional(upload).describe('The CSV file: a part of a form, or base64 in JSON.'),
  csv: optional(z.string()).describe('The same as text, in place of `file`.'),
  dry_run: optional(flag).describe(
    'true unless given: every row is validated and stored, and nothing else happens until the import is ' +
      'started. false starts it at once.',
  ),
  skip_invalid: optional(flag).describe('Start although rows are INVALID: those are left out.'),
}

const ignoreColumns = optional(z.preprocess(namesIn, z.array(z.string()).max(200))).describe(
  'Names of columns, as `columns` gives them, that nothing should read. An email column can’t be ignored. ' +
    'In a form: one name, or a JSON list.',
)

/** A form has each field once, as text. */
function namesIn(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return given.startsWith('[') ? JSON.parse(given) : [given]
  } catch {
    return [given]
  }
}

function checkSource({ file, csv }: { file?: unknown; csv?: unknown }, issues: z.RefinementCtx): void {
  if ((file == null) === (csv == null))
    issues.addIssue({ code: 'custom', path: ['file'], message: 'Give the file: either `file` or `csv`.' })
}

const FILE_FORMAT =
  'The first line names the columns; upper and lower case are the same. Commas, semicolons, ' +
  'tabs and vertical bars are recognised as separators; UTF-8 (with or without a byte order mark), ' +
  'UTF-16 and Windows-1252 are read. At most 100,000 lines and 25 MiB. ' +
  'Every line gets a verdict: OK, DUPLICATE (left out) or INVALID, with a sentence for each reason.'

export const importItems = endpoint({
  id: 'import-items',
  method: 'POST',
  path: '/v1/items/import',
  area,
  auth: 'api_key',
  permission: 'imports:write',
  summary: 'Import items from a CSV file',
  description:
    `${FILE_FORMAT} Columns: title (required), description, image_url, external_id (your own id for it: ` +
    'a line whose external_id was imported into the collection before is a DUPLICATE), ' +
    'token_id and max_supply (where token ids are assigned manually: the item is locked with them), ' +
    'royalty_receiver, royalty_bps. Any other column, or attributes.<name>, is an attribute. Needs items:write too.',
  body: z.strictObject({ collection_id: uuid, item_type_id: optional(itemTypeId), ...source }).superRefine(checkSource),
  response: checkedImport,
  status: 201,
  upload: true,
  errors: ['not_found', 'import_invalid'],
  example: {
    collection_id: STORY.collection,
    csv: 'title,colour\nMoonflower,white\nNight heron,grey\n',
    dry_run: true,
  },
})

export const importEmailClaims = endpoint({
  id: 'import-email-claims',
  method: 'POST',
  path: '/v1/email-claims/import',
  area,
  auth: 'api_key',
  permission: 'imports:write',
  summary: 'Import email claims from a CSV file',
  description:
    `${FILE_FORMAT} Columns: email (required), item_id or token_id (of the collection given) or item (an id, ` +
    `a token id, or \`next\`: the next free item of an ERC-721 collection), quantity, tx_payer, ` +
    'expiration (2027-01-31 or a date-time), locale; they are understood in the languages of our pages, too. ' +
    'A column that nothing reads is in `unknown_columns` and in the reasons of lines that fill it, ' +
    'and the import isn’t started before `ignore_columns` lists it. Two columns for one field are refused. ' +
    'A line is a DUPLICATE when an earlier line gives this email the same item, or the email has it or an open ' +
    'claim of it already; with `next`, when it has one of the collection. Needs email_claims:write too.',
  body: z
    .strictObject({
      collection_id: optional(uuid).describe('The collection of token ids and of `next`.'),
      item_id: optional(uuid).describe('All lines get units of this item.'),
      campaign_id: optional(uuid),
      tx_payer: optional(z.enum(TX_PAYERS)).describe('For lines without their own tx_payer; SELLER unless given.'),
      ignore_columns: ignoreColumns,
      ...source,
    })
    .superRefine(checkSource),
  response: checkedImport,
  status: 201,
  upload: true,
  errors: ['not_found', 'import_invalid', 'unknown_columns', 'suspended'],
  example: {
    item_id: STORY.item,
    csv: 'email\nada@example.com\ngrace@example.com\n',
    dry_run: true,
  },
})

export const listImports = endpoint({
  id: 'list-imports',
  method: 'GET',
  path: '/v1/imports',
  area,
  auth: 'api_key',
  permission: 'imports:read',
  summary: 'List imports',
  query: pageQuery().extend({ kind: z.enum(IMPORT_KINDS).nullish(), state: z.enum(IMPORT_STATES).nullish() }),
  response: pageOf(importRecord),
})

export const getImport = endpoint({
  id: 'get-import',
  method: 'GET',
  path: '/v1/imports/{import_id}',
  area,
  auth: 'api_key',
  permission: 'imports:read',
  summary: 'Get an import',
  params,
  response: importRecord,
})

export const listImportRows = endpoint({
  id: 'list-import-rows',
  method: 'GET',
  path: '/v1/imports/{import_id}/rows',
  area,
  auth: 'api_key',
  permission: 'imports:read',
  summary: 'List an import’s rows',
  description: 'In the order of the file unless `order_direction` is DESC.',
  params,
  query: pageQuery(1000).extend({ verdict: z.enum(ROW_VERDICTS).nullish(), state: z.enum(ROW_STATES).nullish() }),
  response: pageOf(importRow),
})

export const startImport = endpoint({
  id: 'start-import',
  method: 'POST',
  path: '/v1/imports/{import_id}/start',
  area,
  auth: 'api_key',
  permission: 'imports:write',
  summary: 'Start an import',
  description:
    'Its OK rows are carried out one after the other, each exactly once even after a crash. ' +
    'Needs items:write or email_claims:write too, by its kind.',
  params,
  body: z.strictObject({
    skip_invalid: optional(flag).describe('Leave INVALID rows out; without it they hold the import up.'),
    ignore_columns: ignoreColumns,
  }),
  response: importRecord,
  errors: ['import_invalid', 'unknown_columns', 'import_not_ready', 'suspended'],
  example: { skip_invalid: true },
})

export const cancelImport = endpoint({
  id: 'cancel-import',
  method: 'POST',
  path: '/v1/imports/{import_id}/cancel',
  area,
  auth: 'api_key',
  permission: 'imports:write',
  summary: 'Cancel an import',
  description: 'Rows that are done stay done; the waiting ones are left out.',
  params,
  body: z.strictObject({}),
  response: importRecord,
  errors: ['import_not_ready'],
  example: {},
})

export const getImportResult = endpoint({
  id: 'get-import-result',
  method: 'GET',
  path: '/v1/imports/{import_id}/result.csv',
  area,
  auth: 'api_key',
  permission: 'imports:read',
  summary: 'An import’s outcome as CSV',
  description:
    'The file’s own columns, then import_line, import_verdict, import_state, import_reasons and import_result_id.',
  params,
  response: z.string(),
  contentType: 'text/csv',
  stream: true,
})
