'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { Address as ChainAddress } from 'viem'
import { Address } from '@/components/ui/address'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'
import { BrowserWallets } from '@/components/wallet/connect'
import type { NetworkFacts } from '@/components/shared/network'
import { FromConnected, FromPaste } from '@/components/wallet/pick-address'

export type WhichAddressProps = {
  network: NetworkFacts
  /** `connect` where the wallet also has to pay, so that a pasted address isn't enough. */
  ways: 'connect' | 'both'
  /** The way to an address that the buyer asked for first. */
  begin: 'connect' | 'paste'
  action: string
  /** The chosen address, where the form continues after the choice. */
  chosen?: ChainAddress | null
  busy: boolean
  onAddress: (address: ChainAddress | null) => void
}

/** The buyer's address: from a wallet of this browser, or pasted. */
export function WhichAddress(props: WhichAddressProps) {
  return (
    <BrowserWallets network={props.network}>
      <Which {...props} />
    </BrowserWallets>
  )
}

function Which({ network, ways, begin, action, chosen = null, busy, onAddress }: WhichAddressProps) {
  const t = useTranslations('checkout.address')
  const [pasting, setPasting] = useState(begin === 'paste')
  if (chosen)
    return (
      <p className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-well py-2 ps-4 pe-2 text-sm">
        <span>
          <Sentence>{t.rich('goesTo', { address: () => <Address value={chosen} copy={false} /> })}</Sentence>
        </span>
        <Button size="sm" variant="quiet" onClick={() => onAddress(null)}>
          {action}
        </Button>
      </p>
    )
  return (
    <div className="grid gap-4">
      {pasting ? (
        <FromPaste busy={busy} action={action} networkId={network.id} onAddress={onAddress} />
      ) : (
        <FromConnected openAtOnce busy={busy} action={action} onAddress={onAddress} />
      )}
      {ways === 'both' && (
        <Button variant="quiet" onClick={() => setPasting(!pasting)} disabled={busy}>
          {t(pasting ? 'connect' : 'paste')}
        </Button>
      )}
    </div>
  )
}
