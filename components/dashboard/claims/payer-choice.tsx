import { useTranslations } from 'next-intl'
import { Choices, Radio } from '@/components/ui/checkbox'

/** Who pays for the transaction that delivers a claim. */
export function PayerChoice() {
  const t = useTranslations('dashboard.claims.payer')
  return (
    <Choices legend={t('legend')}>
      <Radio name="tx_payer" value="SELLER" defaultChecked label={t('you')} hint={t('youHint')} />
      <Radio name="tx_payer" value="BUYER" label={t('recipient')} hint={t('recipientHint')} />
    </Choices>
  )
}
