import { useTranslations } from 'next-intl'
import { PlainLink } from '@/components/ui/plain-link'

/** Every page loads what this one uses. */
export default function NotFound() {
  const t = useTranslations('common.nothingHere')
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-center gap-4 px-5 text-center">
      <h1 className="text-2xl font-medium">{t('title')}</h1>
      <p className="text-muted">{t('lead')}</p>
      <PlainLink href="/">{t('home')}</PlainLink>
    </main>
  )
}
