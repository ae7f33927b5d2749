import type { ReactNode } from 'react'
import { Texts } from '@/app/language/texts'

/** The texts of this area's client components. */
export default function MembersLayout({ children }: { children: ReactNode }) {
  return <Texts of={['dashboard.members']}>{children}</Texts>
}
