import type { ReactNode } from 'react'
import { Texts } from '@/app/language/texts'

/** The texts of this area's client components. */
export default function ClaimsLayout({ children }: { children: ReactNode }) {
  return <Texts of={['dashboard.claims']}>{children}</Texts>
}
