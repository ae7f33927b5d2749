import type { Address as ChainAddress } from 'viem'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { coins, type NetworkFacts } from '../shared/network'
import { QrCode } from './qr-code'

/** Says how many coins a wallet lacks for a fee, and where to send them. */
export function NeedsCoins({
  address,
  missing,
  network,
}: {
  address: ChainAddress
  missing: bigint
  network: NetworkFacts
}) {
  return (
    <div className="grid gap-4">
      <Alert tone="warning" live title={`Your wallet needs ${coins(missing, network)} more`}>
        Send it to the address below on {network.name}. This page notices when it has arrived.
      </Alert>
      <div className="flex flex-wrap items-center gap-5">
        <QrCode text={address} label="Your wallet’s address as a QR code" className="w-36" />
        <Address value={address} whole className="max-w-60" />
      </div>
    </div>
  )
}
