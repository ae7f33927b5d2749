'use client'

import { useState } from 'react'
import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Hex } from 'viem'
import { useConfig } from 'wagmi'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import {
  BrowserWallets,
  ConnectButton,
  type Connected,
  ConnectedWallet,
  useConnectedWallet,
} from '@/components/wallet/connect'
import type { NetworkFacts } from '@/components/shared/network'
import { sendVoucher } from '@/components/wallet/send-voucher'
import { useWalletText } from '@/components/wallet/use-wallet-text'
import type { SendingStage } from '@/components/wallet/send-voucher'
import type { VoucherEntry } from '@/components/wallet/voucher'

export type PayVoucherProps = {
  entry: VoucherEntry
  network: NetworkFacts
  total: string
  currency: string
  onSent: (hash: Hex) => void
}

/** Pays a voucher from a wallet of the browser: one transaction in the network's coin, two in a token. */
export function PayVoucher(props: PayVoucherProps) {
  return (
    <BrowserWallets network={props.network}>
      <Pay {...props} />
    </BrowserWallets>
  )
}

function Pay({ entry, network, total, currency, onSent }: PayVoucherProps) {
  const t = useTranslations('purchase.wallet')
  const tStep = useTranslations('purchase.step')
  const tConnect = useTranslations('wallet.connect')
  const config = useConfig()
  const walletText = useWalletText()
  const connected = useConnectedWallet()
  const [stage, setStage] = useState<SendingStage | 'start' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  async function pay(from: Connected) {
    setStage('start')
    setProblem(null)
    try {
      onSent(await sendVoucher(config, from, entry, setStage))
    } catch (failure) {
      setProblem(walletText(failure, network, currency))
      setStage(null)
    }
  }

  if (connected === 'looking') return <Spinner label={tConnect('looking')} />
  if (!connected) return <ConnectButton label={t('connect')} />
  return (
    <div className="grid gap-4">
      <ConnectedWallet />
      {connected.address.toLowerCase() !== entry.minter.toLowerCase() && (
        <Alert tone="warning">
          <Sentence>{t.rich('onlyPays', { address: () => <Address value={entry.minter} copy={false} /> })}</Sentence>
        </Alert>
      )}
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      <Button
        variant="primary"
        size="lg"
        busy={stage !== null}
        onClick={() => pay(connected)}
        icon={<Check aria-hidden="true" className="size-4.5" />}
      >
        {stage ? t(`stages.${stage}`) : tStep('pay', { total })}
      </Button>
      <p aria-live="polite" className="text-sm text-muted">
        {stage === 'allow' && t('allowLead', { total })}
      </p>
    </div>
  )
}
