import type { ReactNode } from 'react'
import { Texts } from '@/app/language/texts'

/** The texts of this area's client components. */
export default function ImportsLayout({ children }: { children: ReactNode }) {
  return <Texts of={['dashboard.imports', 'dashboard.claims']}>{children}</Texts>
}
