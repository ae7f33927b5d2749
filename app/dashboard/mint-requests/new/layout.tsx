import type { ReactNode } from 'react'
import { Texts } from '@/app/language/texts'

/** The texts of the form's client components, which are those of items. */
export default function NewMintRequestLayout({ children }: { children: ReactNode }) {
  return <Texts of={['dashboard.items']}>{children}</Texts>
}
