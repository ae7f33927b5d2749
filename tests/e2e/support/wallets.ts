import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { stringToHex } from 'viem'
import { chain } from './gift.ts'
import { stack } from './stack.ts'

/**
 * The device's own authenticator, or a security key: makes and keeps passkeys without anybody touching it. Gives what
 * takes it away.
 */
export async function addAuthenticator(
  page: Page,
  { prf = true, backedUp = true, transport = 'internal' as 'internal' | 'usb' } = {},
): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: prf,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: backedUp,
      defaultBackupState: backedUp,
    },
  })
  return () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
}

type Question = { method: string; params?: unknown[] }

/**
 * A browser wallet that announces itself (EIP-6963) and holds one of the chain node's own accounts. It starts on
 * another network and doesn't know ours until it is told, as a stranger's wallet would.
 */
export async function addBrowserWallet(page: Page, account: string, chainId: number): Promise<void> {
  await page.exposeFunction('askChain', ({ method, params }: Question) => chain(method, params ?? []))
  await page.addInitScript(
    ({ account, chainId }) => {
      const ask = (window as unknown as { askChain: (question: Question) => Promise<unknown> }).askChain
      let current = '0x1'
      let known = false
      // Wallets keep what they were asked once.
      let allowed = sessionStorage.getItem('wallet-allowed') !== null
      const allow = () => {
        allowed = true
        sessionStorage.setItem('wallet-allowed', '1')
      }
      const answers: Record<string, (params: unknown[]) => unknown> = {
        eth_chainId: () => current,
        eth_accounts: () => (allowed ? [account] : []),
        eth_requestAccounts: () => (allow(), [account]),
        wallet_requestPermissions: () => (allow(), [{ caveats: [{ value: [account] }] }]),
        // A text is signed whatever the network.
        personal_sign: (params) => ask({ method: 'personal_sign', params }),
        wallet_switchEthereumChain: ([wanted]) => {
          if (!known) throw Object.assign(new Error('Unknown network.'), { code: 4902 })
          current = (wanted as { chainId: string }).chainId
          return null
        },
        wallet_addEthereumChain: ([added]) => {
          known = true
          current = (added as { chainId: string }).chainId
          return null
        },
      }
      const provider = {
        on: () => {},
        removeListener: () => {},
        request: async ({ method, params = [] }: Question) => {
          // An extension answers through messages, so the page renders meanwhile.
          await new Promise((resolve) => setTimeout(resolve, 30))
          const own = answers[method]
          if (own) return own(params)
          if (current !== `0x${chainId.toString(16)}`) throw new Error('The wallet is on another network.')
          return ask({ method, params })
        },
      }
      const icon =
        'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="orange"/></svg>'
      const info = { uuid: '6f1f6c5e-3f6b-4a77-9d1e-0a4d1f0f7b11', name: 'Pocket', icon, rdns: 'example.pocket' }
      const announce = () =>
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
      window.addEventListener('eip6963:requestProvider', announce)
      announce()
    },
    { account, chainId },
  )
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${stack().public_base}/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status, path).toBe(200)
  return (await response.json()) as Answer
}

/** Takes the codes of a perk for one of the chain node's own accounts, without a page. */
export async function takeCodes(account: string, itemId: string, perkId: string): Promise<void> {
  const wallet = `/wallets/${account}`
  const { message, challenge } = await post<{ message: string; challenge: string }>(`${wallet}/challenge`, {})
  const signature = await chain<string>('personal_sign', [stringToHex(message), account])
  const { proof } = await post<{ proof: string }>(`${wallet}/proof`, { challenge, signature })
  await post(`${wallet}/items/${itemId}/perks/${perkId}/codes`, { proof })
}
