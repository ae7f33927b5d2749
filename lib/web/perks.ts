import * as api from '../platform/api/perks.ts'
import { addPerkCodes } from '../onchain/perks/add-perk-codes.ts'
import { createPerk } from '../onchain/perks/create-perk.ts'
import { deletePerk } from '../onchain/perks/delete-perk.ts'
import { downloadPerkFile } from '../onchain/perks/download-perk-file.ts'
import { getPerk } from '../onchain/perks/get-perk.ts'
import { itemPerks, listItemPerks } from '../onchain/perks/list-item-perks.ts'
import { listPerkCodes } from '../onchain/perks/list-perk-codes.ts'
import { listPerks } from '../onchain/perks/list-perks.ts'
import { openPerks } from '../onchain/perks/open-perks.ts'
import { takePerkCodes } from '../onchain/perks/take-perk-codes.ts'
import { updatePerk } from '../onchain/perks/update-perk.ts'
import { keptGet } from '../platform/http/hot/kept-get.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listPerks: serve(api.listPerks, (ctx, { query }) => listPerks(ctx, query)),
  createPerk: serve(api.createPerk, (ctx, { body }) => createPerk(ctx, body)),
  getPerk: serve(api.getPerk, (ctx, { params }) => getPerk(ctx, params.perk_id)),
  updatePerk: serve(api.updatePerk, (ctx, { params, body }) => updatePerk(ctx, params.perk_id, body)),
  deletePerk: serve(api.deletePerk, (ctx, { params }) => deletePerk(ctx, params.perk_id)),
  addPerkCodes: serve(api.addPerkCodes, (ctx, { params, body }) => addPerkCodes(ctx, params.perk_id, body)),
  listPerkCodes: serve(api.listPerkCodes, (ctx, { params, query }) => listPerkCodes(ctx, params.perk_id, query)),
  listItemPerks: serve(api.listItemPerks, (ctx, { params, query }) => listItemPerks(ctx, params.item_id, query), {
    direct: keptGet(api.listItemPerks, ...itemPerks),
  }),
  openPerks: serve(api.openPerks, (ctx, { params, body }) => openPerks(ctx, params.eth_address, params.item_id, body)),
  takePerkCodes: serve(api.takePerkCodes, (ctx, { params, body }) =>
    takePerkCodes(ctx, params.eth_address, params.item_id, params.perk_id, body),
  ),
  downloadPerkFile: serve(api.downloadPerkFile, (ctx, { params, query }) =>
    downloadPerkFile(ctx, params.eth_address, params.item_id, params.perk_id, query),
  ),
}
