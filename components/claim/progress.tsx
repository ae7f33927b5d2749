import { useTranslations } from 'next-intl'
import { Stops } from '@/components/ui/stops'

const STOPS = ['confirming', 'onItsWay', 'yours'] as const

/** The delivery's progress: 0 confirming, 1 on its way, 2 yours. */
export function Progress({ reached }: { reached: 0 | 1 | 2 }) {
  const t = useTranslations('claim.delivery.stops')
  return <Stops stops={STOPS.map((stop) => ({ name: t(stop), hint: t(`${stop}Hint`) }))} reached={reached} />
}
