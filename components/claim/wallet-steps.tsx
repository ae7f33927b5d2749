import { BrowserWallets } from '@/components/wallet/connect'
import type { NetworkFacts } from '@/components/shared/network'
import { DestinationStep } from './destination-step'
import type { DestinationStepProps } from './destination-step'
import { VoucherStep } from './voucher-step'
import type { VoucherStepProps } from './voucher-step'

/** The steps that need keys and wallets, apart from the first ones: their code is loaded while the PIN is on its way. */
export function WalletSteps(
  props: { network: NetworkFacts } & (
    { step: 'where'; where: DestinationStepProps } | { step: 'voucher'; voucher: VoucherStepProps }
  ),
) {
  return (
    <BrowserWallets network={props.network}>
      {props.step === 'where' ? <DestinationStep {...props.where} /> : <VoucherStep {...props.voucher} />}
    </BrowserWallets>
  )
}
