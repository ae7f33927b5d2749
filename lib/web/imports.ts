import * as api from '../platform/api/imports.ts'
import { cancelImport } from '../data/imports/cancel-import.ts'
import { getImport } from '../data/imports/get-import.ts'
import { getImportResult } from '../data/imports/get-import-result.ts'
import { importClaims } from '../data/imports/import-claims.ts'
import { importItems } from '../data/imports/import-items.ts'
import { listImportRows } from '../data/imports/list-import-rows.ts'
import { listImports } from '../data/imports/list-imports.ts'
import { startImport } from '../data/imports/start-import.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  importEmailClaims: serve(api.importEmailClaims, (ctx, { body }) => importClaims(ctx, body)),
  listImports: serve(api.listImports, (ctx, { query }) => listImports(ctx, query)),
  getImport: serve(api.getImport, (ctx, { params }) => getImport(ctx, params.import_id)),
  cancelImport: serve(api.cancelImport, (ctx, { params }) => cancelImport(ctx, params.import_id)),
  getImportResult: serve(api.getImportResult, async (ctx, { params }) => getImportResult(ctx, params.import_id)),
  listImportRows: serve(api.listImportRows, (ctx, { params, query }) => listImportRows(ctx, params.import_id, query)),
  startImport: serve(api.startImport, (ctx, { params, body }) => startImport(ctx, params.import_id, body)),
  importItems: serve(api.importItems, (ctx, { body }) => importItems(ctx, body)),
}
