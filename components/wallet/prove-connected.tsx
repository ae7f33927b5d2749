'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { Address } from 'viem'
import { useConfig, useConnection } from 'wagmi'
import { signMessage } from 'wagmi/actions'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import type { NetworkFacts } from '../shared/network'
import { Problem } from '@/packages/client/src/call'
import { BrowserWallets, useConnectedWallet } from './connect'
import { proveAddress } from './items'
import { useWalletFailureText } from './use-wallet-failure-text'

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
  const t = useTranslations('ownWallet.proof')
  const tVoucher = useTranslations('wallet.voucher')
  const failureText = useWalletFailureText()
  const config = useConfig()
  const { chainId } = useConnection()
  const isLooking = useConnectedWallet() === 'looking'
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const sign = (message: string) => signMessage(config, { account: address, message })

  async function prove() {
    setBusy(true)
    setProblem(null)
    try {
      onProof(await proveWithKeyOrContract())
    } catch (failure) {
      setProblem(failure instanceof Problem ? failureText(failure) : t('notSigned'))
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
      title={t('publicOnly')}
      action={
        <Button size="sm" busy={busy || isLooking} onClick={() => void prove()}>
          {busy ? tVoucher('inWallet') : t('showPrivate')}
        </Button>
      }
    >
      {problem ?? t('lead')}
    </Alert>
  )
}
