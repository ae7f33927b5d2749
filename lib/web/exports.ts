import * as api from '../platform/api/exports.ts'
import { exportClaims } from '../data/exports/export-claims.ts'
import { exportHolders } from '../data/exports/export-holders.ts'
import { exportItems } from '../data/exports/export-items.ts'
import { exportPurchases } from '../data/exports/export-purchases.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  exportEmailClaims: serve(api.exportEmailClaims, async (ctx, { query }) => exportClaims(ctx, query)),
  exportHolders: serve(api.exportHolders, async (ctx, { query }) => exportHolders(ctx, query)),
  exportItems: serve(api.exportItems, async (ctx, { query }) => exportItems(ctx, query)),
  exportPurchases: serve(api.exportPurchases, async (ctx, { query }) => exportPurchases(ctx, query)),
}
