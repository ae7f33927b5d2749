import { useTranslations } from 'next-intl'
import { Spinner } from '@/components/ui/spinner'

/** Stands where a part of the wallet is being loaded. */
export function Loading() {
  const t = useTranslations('ownWallet')
  return <Spinner label={t('oneMoment')} />
}
