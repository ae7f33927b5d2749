import type { NetworkFacts } from '@/components/shared/network'
import type { PurchaseView } from './purchase'
import type { usePayment } from './use-payment'

export type PurchaseStepProps = {
  id: string
  secret: string
  purchase: PurchaseView
  network: NetworkFacts
  embedded: boolean
  stripeKey: string
  title: string
  total: string
  now: number
  payment: ReturnType<typeof usePayment>
  reload: () => Promise<unknown>
}
