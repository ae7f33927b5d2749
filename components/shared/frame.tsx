import type { ReactElement, ReactNode } from 'react'
import { BareFrame } from './bare-frame'
import { type SellerFacts, SellerFooter, SellerHeader, SellerLook } from './seller'

export type FrameProps = { seller?: SellerFacts | null; language?: ReactElement | false; children: ReactNode }

/** The layout of the recipient's and buyer's pages, in the name and the colour of their organization. */
export function Frame({ seller = null, language, children }: FrameProps) {
  if (!seller) return <BareFrame footer={language}>{children}</BareFrame>
  const footer = (
    <>
      {language}
      <SellerFooter seller={seller} />
    </>
  )
  return (
    <SellerLook seller={seller}>
      <BareFrame name={<SellerHeader seller={seller} />} from={seller.id} footer={footer}>
        {children}
      </BareFrame>
    </SellerLook>
  )
}
