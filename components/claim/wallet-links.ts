export type WalletApp = { name: string; link: (url: string) => string }

/**
 * Links that open an address in the browser of a wallet's app, as the wallets document them. Rainbow has only one of
 * its own scheme. MetaMask takes the address without its scheme and without escapes.
 */
export const WALLET_APPS: readonly WalletApp[] = [
  { name: 'MetaMask', link: (url) => `https://link.metamask.io/dapp/${url.replace(/^https?:\/\//, '')}` },
  { name: 'Coinbase Wallet', link: (url) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(url)}` },
  { name: 'Rainbow', link: (url) => `rainbow://dapp?url=${encodeURIComponent(url)}` },
  {
    name: 'Trust Wallet',
    link: (url) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(url)}`,
  },
]
