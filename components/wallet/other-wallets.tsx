'use client'

import { useTranslations } from 'next-intl'
import type { Address } from 'viem'
import { Alert } from '@/components/ui/alert'
import type { NetworkFacts } from '../shared/network'
import { Step } from '../shared/step'
import { BrowserWallets } from './connect'
import { FromConnected, FromPaste } from './pick-address'
import { useAddressOfName } from './use-address-of-name'

export type OtherWay = 'connect' | 'paste'

type Props = {
  way: OtherWay
  networks: NetworkFacts[]
  takesNames: boolean
  onConnected: (address: Address) => void
  onAddress: (address: Address) => void
}

/** Chooses a wallet of the browser, or an address to look at. */
export function OtherWallets({ way, networks, takesNames, onConnected, onAddress }: Props) {
  const t = useTranslations('ownWallet.others')
  const tConnect = useTranslations('wallet.connect')
  const addressOfName = useAddressOfName()
  const [network] = networks
  if (way === 'paste')
    return (
      <Step title={t('look')} lead={t('lookLead')}>
        <FromPaste busy={false} action={t('show')} onAddress={onAddress} {...(takesNames && { addressOfName })} />
      </Step>
    )
  return (
    <Step title={tConnect('title')}>
      {network ? (
        <BrowserWallets network={network}>
          <FromConnected busy={false} action={t('show')} onAddress={onConnected} openAtOnce />
        </BrowserWallets>
      ) : (
        <Alert tone="warning">{t('noNetwork')}</Alert>
      )}
    </Step>
  )
}
