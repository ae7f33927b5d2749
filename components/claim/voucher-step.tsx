'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { Hex } from 'viem'
import { Address } from '@/components/ui/address'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'
import { MakeWallet } from '@/components/wallet/make-wallet'
import { MintVoucher } from '@/components/wallet/mint-voucher'
import type { NetworkFacts } from '@/components/shared/network'
import type { OpenWallet } from '@/components/wallet/open-wallet'
import { Step } from '@/components/shared/step'
import { Elsewhere } from './elsewhere'
import type { VoucherEntry } from '@/components/wallet/voucher'

export type VoucherStepProps = {
  token: string
  rpId: string
  entry: VoucherEntry
  network: NetworkFacts
  wallet: OpenWallet | null
  /** The item goes to a wallet that was made in this browser. */
  madeHere: boolean
  onWallet: (wallet: OpenWallet) => void
  onSent: (hash: Hex) => void
}

/** The last step where the recipient pays the network fee. */
export function VoucherStep({ token, rpId, entry, network, wallet, madeHere, onWallet, onSent }: VoucherStepProps) {
  const t = useTranslations('claim.voucher')
  const [way, setWay] = useState<'own' | 'browser'>(madeHere || wallet ? 'own' : 'browser')

  if (way === 'own' && !wallet) {
    return (
      <div className="grid gap-4">
        <MakeWallet rpId={rpId} ready="use" onReady={onWallet} />
        <Button variant="quiet" onClick={() => setWay('browser')}>
          {t('otherWallet')}
        </Button>
      </div>
    )
  }
  return (
    <Step
      title={t('title')}
      lead={
        <Sentence>
          {t.rich('lead', {
            network: network.name,
            address: () => <Address value={entry.minter} copy={false} />,
          })}
        </Sentence>
      }
    >
      <MintVoucher entry={entry} network={network} wallet={way === 'own' ? wallet : null} onSent={onSent} />
      {way === 'browser' && <Elsewhere token={token} />}
      <Button variant="quiet" onClick={() => setWay(way === 'own' ? 'browser' : 'own')}>
        {t(way === 'own' ? 'otherWallet' : 'ownWallet')}
      </Button>
    </Step>
  )
}
