'use client'

import type { Address } from 'viem'
import { Alert } from '@/components/ui/alert'
import type { NetworkFacts } from '../shared/network'
import { Step } from '../shared/step'
import { BrowserWallets } from './connect'
import { addressOfName } from './items'
import { FromConnected, FromPaste } from './pick-address'

export type OtherWay = 'connect' | 'paste'

type Props = {
  way: OtherWay
  networks: NetworkFacts[]
  takesNames: boolean
  onConnected: (address: Address) => void
  onAddress: (address: Address) => void
}

/** Chooses a wallet of the browser, or an address to look at. */
export function OtherWallets({ way, networks, takesNames, onConnected, onAddress }: Props) {
  const [network] = networks
  if (way === 'paste')
    return (
      <Step
        title="Look at an address"
        lead="You see what it owns in public collections. Nothing can be moved from here."
      >
        <FromPaste
          busy={false}
          action="Show what it owns"
          onAddress={onAddress}
          {...(takesNames && { addressOfName })}
        />
      </Step>
    )
  return (
    <Step title="Connect a wallet">
      {network ? (
        <BrowserWallets network={network}>
          <FromConnected busy={false} action="Show what it owns" onAddress={onConnected} openAtOnce />
        </BrowserWallets>
      ) : (
        <Alert tone="warning">No network is set up here, so no wallet can be connected.</Alert>
      )}
    </Step>
  )
}
