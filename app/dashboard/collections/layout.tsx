import type { ReactNode } from 'react'
import { Texts } from '@/app/language/texts'

/** The texts of this area's client components. */
export default function CollectionsLayout({ children }: { children: ReactNode }) {
  return <Texts of={['dashboard.collections', 'dashboard.perks']}>{children}</Texts>
}
