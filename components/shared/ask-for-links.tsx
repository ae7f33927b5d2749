import { useTranslations } from 'next-intl'
import { TextLink } from '@/components/ui/text-link'

/** The way to the other links of whoever came with one that is of no use. */
export function AskForLinks() {
  const t = useTranslations('common')
  return (
    <p className="text-sm">
      <TextLink href="/claims">{t('links.again')}</TextLink>
    </p>
  )
}
