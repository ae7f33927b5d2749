import type { ReactNode } from 'react'
import { Frame } from '@/components/claim/frame'

export default function ClaimLayout({ children }: { children: ReactNode }) {
  return <Frame>{children}</Frame>
}
