'use client'

import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Card } from '@/components/ui/card'
import type { NetworkFacts } from '../shared/network'
import { listVouchers } from './items'
import { MintVoucher } from './mint-voucher'
import type { OpenWallet } from './open-wallet'

/** Vouchers that this wallet can still redeem: items reserved for it. */
export function ReservedItems({ wallet, networks }: { wallet: OpenWallet; networks: NetworkFacts[] }) {
  const t = useTranslations('ownWallet.reserved')
  const [sent, setSent] = useState<string[]>([])
  const vouchers = useQuery({
    queryKey: ['vouchers', wallet.address],
    queryFn: () => listVouchers(wallet.address),
    refetchInterval: 15_000,
  })
  if (!vouchers.data?.length) return null
  return (
    <section aria-labelledby="waiting" className="grid gap-5">
      <h2 id="waiting" className="text-xl font-medium">
        {t('title')}
      </h2>
      {vouchers.data.map((entry) => {
        const network = networks.find(({ id }) => id === entry.network_id)
        const key = `${entry.contract}.${entry.voucher.token_id}.${entry.voucher.nonce}`
        if (!network) return null
        return (
          <Card
            key={key}
            title={t('number', { number: entry.voucher.token_id })}
            description={t('lead', { network: network.name })}
          >
            {sent.includes(key) ? (
              <Alert tone="positive" live>
                {t('coming')}
              </Alert>
            ) : (
              <MintVoucher entry={entry} network={network} wallet={wallet} onSent={() => setSent([...sent, key])} />
            )}
          </Card>
        )
      })}
    </section>
  )
}
