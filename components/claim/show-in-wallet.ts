import type { ClaimItem } from './claim'

type BrowserWallet = { request: (call: { method: string; params: unknown }) => Promise<unknown> }

/** The wallet app that this browser belongs to, or has as an extension. */
export const browserWallet = (): BrowserWallet | undefined => Reflect.get(globalThis, 'ethereum')

/** Asks the browser's wallet app to list the item (EIP-747). false: it can't, or the person said no. */
export async function showInWallet(item: ClaimItem, tokenId: string | null): Promise<boolean> {
  const { address, token_type: type } = item.token_contract
  const options = { address, tokenId: tokenId ?? item.token_id }
  const added = browserWallet()?.request({ method: 'wallet_watchAsset', params: { type, options } })
  return (await added?.catch(() => false)) === true
}
