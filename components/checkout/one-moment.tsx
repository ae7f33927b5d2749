import { useTranslations } from 'next-intl'
import { Spinner } from '@/components/ui/spinner'

/** Shown while the script of a step is loaded. */
export function OneMoment() {
  const t = useTranslations('order')
  return <Spinner label={t('oneMoment')} />
}
