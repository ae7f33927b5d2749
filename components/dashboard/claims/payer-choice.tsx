import { Choices, Radio } from '@/components/ui/checkbox'

/** Who pays for the transaction that delivers a claim. */
export function PayerChoice() {
  return (
    <Choices legend="Who pays for the transaction">
      <Radio
        name="tx_payer"
        value="SELLER"
        defaultChecked
        label="You"
        hint="The item is sent as soon as it is redeemed. The recipient needs nothing."
      />
      <Radio
        name="tx_payer"
        value="BUYER"
        label="The recipient"
        hint="They get a voucher and send it from a wallet that holds some of the network’s currency."
      />
    </Choices>
  )
}
