import type { ReactNode } from 'react'
import { FlaskConical } from 'lucide-react'
import { Frame } from '@/components/shared/frame'
import { type SellerFacts, SellerLine, SellerLook } from '@/components/shared/seller'
import { FrameHeight } from './embedding'

type Props = { seller?: SellerFacts | null; embedded?: boolean; testMode?: boolean; children: ReactNode }

/** The layout of the checkout pages; when embedded a line says who sells, in place of header and footer. */
export function CheckoutFrame({ seller = null, embedded = false, testMode = false, children }: Props) {
  const content = (
    <>
      {testMode && <TestModeBar />}
      {seller && embedded && <SellerLine seller={seller} />}
      {children}
    </>
  )
  if (!embedded) return <Frame seller={seller}>{content}</Frame>
  return (
    <SellerLook seller={seller}>
      <main className="p-4 sm:p-6">
        <FrameHeight />
        {content}
      </main>
    </SellerLook>
  )
}

/** Tells buyers that no real money is involved. */
export function TestModeBar() {
  return (
    <p className="mb-6 flex items-center gap-2.5 rounded-md bg-warn-soft px-4 py-2.5 text-sm text-ink">
      <FlaskConical aria-hidden="true" className="size-4 shrink-0 text-warn" />
      <span>
        <strong className="font-medium text-warn">Test mode.</strong> No real money moves, and what you get has no
        value.
      </span>
    </p>
  )
}
