import { useTranslations } from 'next-intl'
import { NavTabs } from '@/components/ui/tabs'

/** The pages of the settings. */
export function SettingsTabs() {
  const t = useTranslations('dashboard.shell.settings')
  return (
    <NavTabs
      label={t('label')}
      tabs={[
        { href: '/dashboard/settings', label: t('organization') },
        { href: '/dashboard/settings/email', label: t('email') },
        { href: '/dashboard/settings/passkeys', label: t('passkeys') },
        { href: '/dashboard/settings/sessions', label: t('sessions') },
      ]}
    />
  )
}
