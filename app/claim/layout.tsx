import type { ReactNode } from 'react'
import { Frame } from '@/components/shared/frame'

export default function ClaimLayout({ children }: { children: ReactNode }) {
  return <Frame>{children}</Frame>
}
