import { expect, test } from 'vitest'
import { WALLET_APPS } from '../../components/claim/wallet-links.ts'

const PAGE = 'https://gifts.example.com/h/q8Zb3nL0Yw6tKd1fRcVx2A'

test('each wallet’s link opens the page by the address that its makers document', () => {
  expect(WALLET_APPS.map(({ name, link }) => [name, link(PAGE)])).toEqual([
    ['MetaMask', 'https://link.metamask.io/dapp/gifts.example.com/h/q8Zb3nL0Yw6tKd1fRcVx2A'],
    ['Coinbase Wallet', 'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fgifts.example.com%2Fh%2Fq8Zb3nL0Yw6tKd1fRcVx2A'],
    ['Rainbow', 'rainbow://dapp?url=https%3A%2F%2Fgifts.example.com%2Fh%2Fq8Zb3nL0Yw6tKd1fRcVx2A'],
    [
      'Trust Wallet',
      'https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Fgifts.example.com%2Fh%2Fq8Zb3nL0Yw6tKd1fRcVx2A',
    ],
  ])
})
