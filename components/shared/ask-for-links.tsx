import { useTranslations } from 'next-intl'
import { PlainLink } from '@/components/ui/plain-link'

/** The way to the other links of whoever came with one that is of no use. */
export function AskForLinks() {
  const t = useTranslations('common')
  return (
    <p className="text-sm">
      <PlainLink href="/claims">{t('links.again')}</PlainLink>
    </p>
  )
}
