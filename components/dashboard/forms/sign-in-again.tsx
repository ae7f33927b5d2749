'use client'

import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { TextLink } from '@/components/ui/text-link'

/** Leads through a sign-in and back to this page. What was just refused for it asks no further question. */
export function SignInAgain() {
  const t = useTranslations('dashboard.common')
  const path = usePathname()
  const href = `/sign-in/again?${new URLSearchParams({ return_to: path })}`
  return (
    <TextLink href={href} data-unasked>
      {t('signInAgain')}
    </TextLink>
  )
}
