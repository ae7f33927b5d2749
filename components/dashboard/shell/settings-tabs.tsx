import { NavTabs } from '@/components/ui/tabs'

/** The pages of the settings. */
export const SettingsTabs = () => (
  <NavTabs
    label="Settings"
    tabs={[
      { href: '/dashboard/settings', label: 'Organization' },
      { href: '/dashboard/settings/email', label: 'Email' },
      { href: '/dashboard/settings/passkeys', label: 'Your passkeys' },
      { href: '/dashboard/settings/sessions', label: 'Your sessions' },
    ]}
  />
)
