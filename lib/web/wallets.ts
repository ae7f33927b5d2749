import * as api from '../platform/api/wallets.ts'
import { resolveName } from '../offers/networks/resolve-name.ts'
import { challengeWallet } from '../onchain/wallets/challenge-wallet.ts'
import { getWalletItem } from '../onchain/wallets/get-wallet-item.ts'
import { listWalletItemHistory } from '../onchain/wallets/list-wallet-item-history.ts'
import { listWalletItems } from '../onchain/wallets/list-wallet-items.ts'
import { listWalletCopies } from '../onchain/wallets/list-wallet-copies.ts'
import { findWalletCopy } from '../onchain/wallets/find-wallet-copy.ts'
import { proveWallet } from '../onchain/wallets/prove-wallet.ts'
import { removeWalletCopy } from '../onchain/wallets/remove-wallet-copy.ts'
import { saveWalletCopy } from '../onchain/wallets/save-wallet-copy.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  challengeWallet: serve(api.challengeWallet, (ctx, { params, body }) =>
    challengeWallet(ctx, params.eth_address, body),
  ),
  proveWallet: serve(api.proveWallet, (ctx, { params, body }) => proveWallet(ctx, params.eth_address, body)),
  listWalletItems: serve(api.listWalletItems, (ctx, { params, query }) =>
    listWalletItems(ctx, params.eth_address, query),
  ),
  getWalletItem: serve(api.getWalletItem, (ctx, { params, query }) =>
    getWalletItem(ctx, params.eth_address, params.item_id, query),
  ),
  listWalletItemHistory: serve(api.listWalletItemHistory, (ctx, { params, query }) =>
    listWalletItemHistory(ctx, params.eth_address, params.item_id, query),
  ),
  saveWalletCopy: serve(api.saveWalletCopy, (ctx, { params, body }) => saveWalletCopy(ctx, params.eth_address, body)),
  listWalletCopies: serve(api.listWalletCopies, (ctx, { params, query }) =>
    listWalletCopies(ctx, params.eth_address, query),
  ),
  removeWalletCopy: serve(api.removeWalletCopy, (ctx, { params, query }) =>
    removeWalletCopy(ctx, params.eth_address, params.copy_id, query),
  ),
  findWalletCopy: serve(api.findWalletCopy, (ctx, { body }) => findWalletCopy(ctx, body)),
  resolveName: serve(api.resolveName, (ctx, { body }) => resolveName(ctx, body)),
}
