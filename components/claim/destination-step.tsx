'use client'

import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ChevronRight, Fingerprint, Type, Wallet } from 'lucide-react'
import type { Address as ChainAddress } from 'viem'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { MakeWallet } from '@/components/wallet/make-wallet'
import type { OpenWallet } from '@/components/wallet/open-wallet'
import { passkeysCanWork } from '@/components/wallet/passkey'
import { FromConnected, FromPaste } from '@/components/wallet/pick-address'
import { Step } from '@/components/shared/step'

export type Destination = { address: ChainAddress; wallet: OpenWallet | null }

type Way = 'choose' | 'make' | 'connect' | 'paste'

export type DestinationStepProps = {
  /** What the recipient should know of an address before it is used, if anything. */
  warningAbout: (address: string) => Promise<string | null>
  rpId: string
  title: string
  problem: string | null
  busy: boolean
  onDestination: (destination: Destination) => void
  onDecline: () => void
  onBack: () => void
}

/** Chooses where the item goes: a wallet made here, a wallet of the browser, or an address. */
export function DestinationStep({
  warningAbout,
  rpId,
  title,
  problem,
  busy,
  onDestination,
  onDecline,
  onBack,
}: DestinationStepProps) {
  const [way, setWay] = useState<Way>('choose')
  const [keepsWallets, setKeepsWallets] = useState(true)
  useEffect(() => {
    void passkeysCanWork().then(setKeepsWallets)
  }, [])
  const back = (
    <Button variant="quiet" onClick={() => setWay('choose')} disabled={busy}>
      Another way
    </Button>
  )
  const problemAlert = problem && (
    <Alert tone="danger" live>
      {problem}
    </Alert>
  )

  if (way === 'make') {
    return (
      <div className="grid gap-4">
        {problemAlert}
        <MakeWallet
          rpId={rpId}
          ready="Put it in this wallet"
          onReady={(wallet) => onDestination({ address: wallet.address, wallet })}
        />
        {back}
      </div>
    )
  }
  if (way === 'connect') {
    return (
      <Step title="Use a wallet of yours">
        {problemAlert}
        <FromConnected busy={busy} onAddress={(address) => onDestination({ address, wallet: null })} />
        {back}
      </Step>
    )
  }
  if (way === 'paste') {
    return (
      <Step
        title="Send it to an address"
        lead="Only use the address of a wallet you hold the keys of. An exchange may not show what arrives."
      >
        {problemAlert}
        <FromPaste
          busy={busy}
          warningAbout={warningAbout}
          onAddress={(address) => onDestination({ address, wallet: null })}
        />
        {back}
      </Step>
    )
  }
  return (
    <Step title="Where should it go?" lead={`${title} needs a place of its own. You can move it later.`}>
      {problemAlert}
      <ul className="grid gap-3">
        <WayButton
          icon={<Fingerprint />}
          name="Make a wallet here"
          hint={
            keepsWallets
              ? 'Best if you have none. Takes a few seconds.'
              : 'This browser can’t keep one by itself: yours goes into a file that a password protects.'
          }
          onClick={() => setWay('make')}
          first
        />
        <WayButton
          icon={<Wallet />}
          name="Connect a wallet"
          hint="One that is in this browser."
          onClick={() => setWay('connect')}
        />
        <WayButton icon={<Type />} name="Paste an address" hint="It starts with 0x." onClick={() => setWay('paste')} />
      </ul>
      <div className="grid gap-2">
        <Button variant="quiet" onClick={onBack}>
          Back to the PIN
        </Button>
        <Decline busy={busy} onDecline={onDecline} />
      </div>
    </Step>
  )
}

/** Asks once more, since a declined gift doesn't come back by itself. */
function Decline({ busy, onDecline }: { busy: boolean; onDecline: () => void }) {
  const [asking, setAsking] = useState(false)
  if (!asking)
    return (
      <Button variant="quiet" onClick={() => setAsking(true)} disabled={busy}>
        I don’t want this
      </Button>
    )
  return (
    <Alert
      tone="warning"
      title="Decline this gift?"
      live
      action={
        <>
          <Button variant="danger" busy={busy} onClick={onDecline}>
            Decline it
          </Button>
          <Button onClick={() => setAsking(false)} disabled={busy}>
            Keep it
          </Button>
        </>
      }
    >
      It goes back to the sender, who is told. You can’t undo this.
    </Alert>
  )
}

function WayButton({
  icon,
  name,
  hint,
  onClick,
  first = false,
}: {
  icon: ReactNode
  name: string
  hint: string
  onClick: () => void
  first?: boolean
}) {
  return (
    <li>
      <button
        type="button"
        onClick={onClick}
        className={`group flex min-h-18 w-full items-center gap-4 rounded-lg border bg-pane px-5 py-3 text-left transition-colors hover:border-ink ${first ? 'border-ink' : 'border-edge'}`}
      >
        <span aria-hidden="true" className="text-glass [&>svg]:size-6">
          {icon}
        </span>
        <span className="grow">
          <span className="block font-medium">{name}</span>
          <span className="block text-sm text-muted">{hint}</span>
        </span>
        <ChevronRight
          aria-hidden="true"
          className="size-5 text-muted transition-transform group-hover:translate-x-0.5"
        />
      </button>
    </li>
  )
}
