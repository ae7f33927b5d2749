import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { Fact, Facts } from '@/components/ui/facts'
import { Quoted } from '@/components/ui/quoted'
import { SellerFact, type SellerFacts, SellerLinks } from '@/components/shared/seller'
import type { Subject } from './subject'

export type OrderSummaryProps = {
  seller: SellerFacts | null
  /** null where nobody may know it. */
  collection: string | null
  item: ReactNode
  quantity: number
  /** Of one unit, and of all, with their currency. */
  price: string
  total: string
}

/** The order about to be made: the item, its seller, and the price. Shown before anybody pays. */
export function OrderSummary({ seller, collection, item, quantity, price, total }: OrderSummaryProps) {
  const t = useTranslations('order.summary')
  return (
    <section aria-label={t('title')} className="rounded-md border bg-pane">
      <Facts className="px-4">
        {seller && (
          <Fact name={t('seller')}>
            <SellerFact seller={seller} />
          </Fact>
        )}
        {collection && (
          <Fact name={t('collection')}>
            <Quoted>{collection}</Quoted>
          </Fact>
        )}
        <Fact name={t('item')}>{item}</Fact>
        <Fact name={t('price')}>{quantity > 1 ? `${price} × ${quantity}` : price}</Fact>
        <Fact name={<span className="font-medium text-ink">{t('total')}</span>}>
          <span className="font-medium">{total}</span>
        </Fact>
      </Facts>
      {seller && (seller.termsUrl || seller.contactEmail) && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 border-t px-4 py-2.5 text-sm text-muted">
          <SellerLinks seller={seller} />
        </p>
      )}
    </section>
  )
}

/** The item of an order, by its name. */
export function OrderedItem({ subject: { kind, title } }: { subject: Pick<Subject, 'kind' | 'title'> }) {
  const t = useTranslations('order')
  return kind === 'item' ? <Quoted>{title}</Quoted> : <span>{t('chosenForYou')}</span>
}
