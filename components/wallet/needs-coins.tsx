import { useLocale, useTranslations } from 'next-intl'
import type { Address as ChainAddress } from 'viem'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { coins, type NetworkFacts } from '../shared/network'
import { QrCode } from './qr-code'

/** Says how many coins a wallet lacks for a fee, and where to send them. */
export function NeedsCoins({
  address,
  missing,
  network,
}: {
  address: ChainAddress
  missing: bigint
  network: NetworkFacts
}) {
  const t = useTranslations('wallet.voucher')
  const locale = useLocale()
  return (
    <div className="grid gap-4">
      <Alert tone="warning" live title={t('needs', { amount: coins(missing, network, locale) })}>
        {t('needsLead', { network: network.name })}
      </Alert>
      <div className="flex flex-wrap items-center gap-5">
        <QrCode text={address} label={t('code')} className="w-36" />
        <Address value={address} whole className="max-w-60" />
      </div>
    </div>
  )
}
