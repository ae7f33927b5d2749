'use client'

import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Wallet } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Address as ChainAddress } from 'viem'
import type { Config, Connector } from 'wagmi'
import {
  WagmiContext,
  createConfig,
  createStorage,
  http,
  injected,
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
} from 'wagmi'
import { reconnect } from 'wagmi/actions'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button, type ButtonVariant } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { browserStorage } from '../shared/browser-storage'
import { chainOf } from '../shared/network'
import type { NetworkFacts } from '../shared/network'
import { relayPath } from '../shared/relay'

/** One config for each network, so that a wallet stays connected from step to step. */
const configs = new Map<number, Config>()

function configOf(network: NetworkFacts): Config {
  const known = configs.get(network.id)
  if (known) return known
  const made = createConfig({
    chains: [chainOf(network, location.origin)],
    connectors: [injected()],
    transports: { [network.id]: http(relayPath(network.id)) },
    // wagmi's own throws where storage is forbidden.
    storage: createStorage({ storage: browserStorage }),
  })
  configs.set(network.id, made)
  // The wallet that was connected before the page was loaded anew.
  void reconnect(made)
  return made
}

/**
 * Gives its children access to the browser's wallets. Renders in the browser only, within a `Queries`. `WagmiProvider`
 * isn't used: it reconnects each time it is rendered, and a form that is shown only while a wallet is connected would
 * lose what was typed into it.
 */
export function BrowserWallets({ network, children }: { network: NetworkFacts; children: ReactNode }) {
  const config = configOf(network)
  useEffect(() => {
    // A wallet may have been connected on another network since this one was shown last.
    if (config.state.status === 'disconnected') void reconnect(config)
  }, [config])
  return <WagmiContext value={config}>{children}</WagmiContext>
}

/** The wallets that announce themselves (EIP-6963); `window.ethereum` only where none does. */
function useBrowserWallets() {
  const connectors = useConnectors()
  const named = connectors.filter((connector) => connector.id !== 'injected')
  const unnamed =
    typeof window !== 'undefined' && 'ethereum' in window
      ? connectors.filter((connector) => connector.id === 'injected')
      : []
  return named.length > 0 ? named : unnamed
}

/** A button that opens the list of wallets. Calls `onConnected` with the account that the person allowed. */
export function ConnectButton({
  onConnected,
  label,
  variant = 'primary',
  openAtOnce = false,
}: {
  onConnected?: (address: ChainAddress) => void
  label?: string
  variant?: ButtonVariant
  openAtOnce?: boolean
}) {
  const t = useTranslations('wallet.connect')
  const [open, setOpen] = useState(openAtOnce)
  const [problem, setProblem] = useState<string | null>(null)
  const wallets = useBrowserWallets()
  const { mutateAsync: connect, isPending, variables } = useConnect()

  async function choose(connector: (typeof wallets)[number]) {
    setProblem(null)
    try {
      const { accounts } = await connect({ connector })
      setOpen(false)
      onConnected?.(accounts[0])
    } catch (failure) {
      const refused = typeof failure === 'object' && failure !== null && 'code' in failure && failure.code === 4001
      setProblem(refused ? t('closed') : t('failed', { wallet: connector.name }))
    }
  }

  return (
    <Dialog
      trigger={
        <Button variant={variant} size="lg" icon={<Wallet aria-hidden="true" className="size-5" />}>
          {label ?? t('title')}
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title={t('title')}
      description={t('lead')}
    >
      {wallets.length === 0 && <Alert>{t('none')}</Alert>}
      {problem && (
        <Alert tone="warning" live>
          {problem}
        </Alert>
      )}
      <ul className="grid gap-2">
        {wallets.map((wallet) => (
          <li key={wallet.uid}>
            <button
              type="button"
              onClick={() => choose(wallet)}
              aria-busy={isPending && variables.connector === wallet}
              className={
                'flex min-h-14 w-full items-center gap-3 rounded-md border border-edge px-4 text-start ' +
                'font-medium transition-colors hover:border-ink hover:bg-well'
              }
            >
              {wallet.icon?.startsWith('data:image/') ? (
                // eslint-disable-next-line @next/next/no-img-element -- the wallet provides its icon as a data URL.
                <img src={wallet.icon} alt="" className="size-7 rounded-sm" />
              ) : (
                <Wallet aria-hidden="true" className="size-6 text-muted" />
              )}
              <span>{wallet.id === 'injected' ? t('browser') : wallet.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** A wallet of the browser that can be asked. */
export type Connected = { connector: Connector; address: ChainAddress }

/**
 * The connected wallet; null: none is. 'looking': the one that was connected before the page was loaded anew, which
 * can't be asked for anything until it is found again.
 */
export function useConnectedWallet(): Connected | 'looking' | null {
  const { address, connector, status } = useConnection()
  // wagmi knows its address before its functions, also while it says that it is connecting.
  if (status === 'reconnecting' || (address && status !== 'connected')) return 'looking'
  return address && connector ? { connector, address } : null
}

/** The connected account with a button to disconnect it; nothing when there is none. */
export function ConnectedWallet() {
  const t = useTranslations('wallet.connect')
  const { address, connector } = useConnection()
  const { mutate: disconnect } = useDisconnect()
  if (!address) return null
  return (
    <p className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-well py-2 ps-4 pe-2 text-sm">
      <span>
        <span>{connector?.name ?? t('wallet')}</span> <Address value={address} copy={false} />
      </span>
      <Button size="sm" variant="quiet" onClick={() => disconnect({})}>
        {t('disconnect')}
      </Button>
    </p>
  )
}
