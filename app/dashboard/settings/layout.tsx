import type { ReactNode } from 'react'
import { Texts } from '@/app/language/texts'

/** The texts of this area's client components. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return <Texts of={['dashboard.settings', 'dashboard.passkeys']}>{children}</Texts>
}
