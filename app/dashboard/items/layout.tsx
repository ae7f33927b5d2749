import type { ReactNode } from 'react'
import { Texts } from '@/app/language/texts'

/** The texts of this area's client components. */
export default function ItemsLayout({ children }: { children: ReactNode }) {
  return <Texts of={['dashboard.items', 'dashboard.itemTypes', 'dashboard.perks']}>{children}</Texts>
}
