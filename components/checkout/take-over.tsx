'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { getAddress } from 'viem'
import { useConfig } from 'wagmi'
import { signTypedData } from 'wagmi/actions'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import { useFailureText } from '@/components/shared/failure-text'
import type { NetworkFacts } from '@/components/shared/network'
import { BrowserWallets, ConnectButton, type Connected, useConnectedWallet } from '@/components/wallet/connect'
import { toNetwork } from '@/components/wallet/to-network'
import { Problem, Unreachable } from '@/packages/client/src/call'
import { takeOver } from './purchase'
import type { CreatedPurchase } from './purchase'

/** An open purchase of an address, of which this browser has no secret. */
export type FoundPurchase = { id: string; address: string }

type TakeOverProps = { found: FoundPurchase; network: NetworkFacts; onTaken: (purchase: CreatedPurchase) => void }

/** Continues a purchase that is open for the buyer's address: its wallet signs that the address is theirs. */
export function TakeOver(props: TakeOverProps) {
  return (
    <BrowserWallets network={props.network}>
      <Sign {...props} />
    </BrowserWallets>
  )
}

function Sign({ found, network, onTaken }: TakeOverProps) {
  const t = useTranslations('checkout.takeOver')
  const failureText = useFailureText()
  const config = useConfig()
  const tConnect = useTranslations('wallet.connect')
  const connected = useConnectedWallet()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const owner = getAddress(found.address)

  async function sign({ connector, address: account }: Connected) {
    setBusy(true)
    setProblem(null)
    try {
      // Wallets sign for the network that they are on.
      await toNetwork(config, connector, network.id)
      onTaken(
        await takeOver(found.id, (typedData) =>
          signTypedData(config, { ...typedData, message: { ...typedData.message }, connector, account }),
        ),
      )
    } catch (failure) {
      const isOurs = failure instanceof Problem || failure instanceof Unreachable
      setProblem(isOurs ? failureText(failure) : t('nothingSigned'))
      setBusy(false)
    }
  }

  if (connected === 'looking') return <Spinner label={tConnect('looking')} />
  return (
    <div className="grid gap-4">
      <Alert title={t('title')} live>
        <Sentence>{t.rich('lead', { address: () => <Address value={owner} copy={false} /> })}</Sentence>
      </Alert>
      {problem && (
        <Alert tone="warning" live>
          {problem}
        </Alert>
      )}
      {connected?.address === owner ? (
        <Button variant="primary" size="lg" busy={busy} onClick={() => sign(connected)}>
          {t('sign')}
        </Button>
      ) : (
        <ConnectButton label={t('connect')} />
      )}
    </div>
  )
}
