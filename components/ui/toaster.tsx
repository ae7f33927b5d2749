'use client'

import { Toaster as Sonner } from 'sonner'
import { useTranslations } from 'next-intl'
import { useTheme } from 'next-themes'

export { toast } from 'sonner'

/** Short confirmations at the lower edge. Only the dashboard has it: the pages with a strict style policy can't. */
export function Toaster() {
  const t = useTranslations('dashboard.common')
  const { resolvedTheme } = useTheme()
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      containerAriaLabel={t('notifications')}
      gap={8}
      toastOptions={{
        classNames: {
          toast: '!rounded-md !border !border-line !bg-pane !text-ink !font-sans !shadow-lift',
          description: '!text-muted',
        },
      }}
    />
  )
}
