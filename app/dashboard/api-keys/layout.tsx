import type { ReactNode } from 'react'
import { Texts } from '@/app/language/texts'

/** The texts of this area's client components. */
export default function ApiKeysLayout({ children }: { children: ReactNode }) {
  return <Texts of={['dashboard.apiKeys']}>{children}</Texts>
}
