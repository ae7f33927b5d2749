import { useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'
import { shownEmail } from '@/lib/core/shown-email'

/** Who bought it: the email, else the address. Of a purchase that was recovered from its payment neither is known. */
export function PurchaseBuyer({
  purchase: { email, eth_address: address },
  className,
}: {
  purchase: { email: string | null; eth_address: string | null }
  className?: string
}) {
  const t = useTranslations('dashboard.purchases')
  if (email) return <span className="break-all">{shownEmail(email)}</span>
  return address ? <Address value={address} copy={false} className={className} /> : <span>{t('unknownBuyer')}</span>
}
