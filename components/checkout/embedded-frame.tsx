import type { FrameProps } from '@/components/shared/frame'
import { SellerLine, SellerLook } from '@/components/shared/seller'
import { FrameHeight } from './embedding'

/**
 * The layout of the checkout pages in a frame of another site: a line says who sells, in place of header and footer.
 */
export function EmbeddedFrame({ seller = null, language, children }: FrameProps) {
  return (
    <SellerLook seller={seller}>
      <main className="p-4 sm:p-6">
        <FrameHeight />
        {seller && <SellerLine seller={seller} />}
        <div className="contents">{children}</div>
      </main>
      {language && <footer className="border-t px-4 py-5 text-sm text-muted sm:px-6">{language}</footer>}
    </SellerLook>
  )
}
