import { BrowserWallets } from '@/components/wallet/connect'
import type { NetworkFacts } from '@/components/shared/network'
import { DestinationStep } from './destination-step'
import type { DestinationStepProps } from './destination-step'
import { VoucherStep } from './voucher-step'
import type { VoucherStepProps } from './voucher-step'

/** The steps that need wallet code, which is loaded only once a PIN has been sent. */
export function WalletSteps(
  props: { network: NetworkFacts } & (
    { step: 'destination'; destination: DestinationStepProps } | { step: 'voucher'; voucher: VoucherStepProps }
  ),
) {
  return (
    <BrowserWallets network={props.network}>
      {props.step === 'destination' ? <DestinationStep {...props.destination} /> : <VoucherStep {...props.voucher} />}
    </BrowserWallets>
  )
}
