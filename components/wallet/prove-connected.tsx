'use client'

import { useState } from 'react'
import type { Address } from 'viem'
import { useConfig, useConnection } from 'wagmi'
import { signMessage } from 'wagmi/actions'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { failureSentence } from '../shared/api'
import type { NetworkFacts } from '../shared/network'
import { Problem } from '@/packages/client/src/call'
import { BrowserWallets } from './connect'
import { proveAddress } from './items'

type Props = { address: Address; networks: NetworkFacts[]; onProof: (proof: string) => void }

/** Asks a wallet of the browser to sign that it is here, so that private items can be shown. */
export function ProveConnected(props: Props) {
  const [network] = props.networks
  return network ? (
    <BrowserWallets network={network}>
      <Ask {...props} />
    </BrowserWallets>
  ) : null
}

function Ask({ address, networks, onProof }: Props) {
  const config = useConfig()
  const { chainId } = useConnection()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const sign = (message: string) => signMessage(config, { account: address, message })

  async function prove() {
    setBusy(true)
    setProblem(null)
    try {
      onProof(await proveWithKeyOrContract())
    } catch (failure) {
      setProblem(
        failure instanceof Problem ? failureSentence(failure) : 'Your wallet did not sign it. Nothing has changed.',
      )
    }
    setBusy(false)
  }

  /** A wallet that is a contract answers on the network that it is on. */
  const proveWithKeyOrContract = () =>
    proveAddress(address, sign).catch((failure: unknown) => {
      const isKnown = networks.some(({ id }) => id === chainId)
      if (!(failure instanceof Problem && failure.code === 'signature_invalid' && isKnown)) throw failure
      return proveAddress(address, sign, chainId)
    })

  return (
    <Alert
      title="Only public items are shown"
      action={
        <Button size="sm" busy={busy} onClick={() => void prove()}>
          {busy ? 'Confirm it in your wallet' : 'Show private ones too'}
        </Button>
      }
    >
      {problem ?? 'Sign a text with your wallet to show that it is yours. It moves nothing.'}
    </Alert>
  )
}
