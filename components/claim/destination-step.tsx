'use client'

import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ChevronRight, FileKey, Fingerprint, Type, Wallet } from 'lucide-react'
import type { Address as ChainAddress } from 'viem'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { MakeWallet } from '@/components/wallet/make-wallet'
import type { OpenWallet } from '@/components/wallet/open-wallet'
import { passkeysCanWork } from '@/components/wallet/passkey'
import { FromConnected, FromPaste } from '@/components/wallet/pick-address'
import { Step } from '@/components/shared/step'
import { addressOfName } from './claim'
import { Elsewhere, walletIsElsewhere } from './elsewhere'

export type Destination = { address: ChainAddress; wallet: OpenWallet | null }

type Way = 'choose' | 'make' | 'connect' | 'paste' | 'file'

export type DestinationStepProps = {
  /** What the recipient should know of an address before it is used, if anything. */
  warningAbout: (address: string) => Promise<string | null>
  token: string
  /** Whether ENS names can be looked up. */
  takesNames: boolean
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
  token,
  takesNames,
  rpId,
  title,
  problem,
  busy,
  onDestination,
  onDecline,
  onBack,
}: DestinationStepProps) {
  const [way, setWay] = useState<Way>('choose')
  const keepsWallets = usePasskeysCanWork()
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

  if (way === 'make' || way === 'file') {
    return (
      <div className="grid gap-4">
        {problemAlert}
        <MakeWallet
          rpId={rpId}
          ready="Put it in this wallet"
          startAtOnce
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
        {walletIsElsewhere() && <Elsewhere token={token} />}
        <FromConnected
          busy={busy}
          variant={walletIsElsewhere() ? 'secondary' : 'primary'}
          onAddress={(address) => onDestination({ address, wallet: null })}
        />
        {!walletIsElsewhere() && <Elsewhere token={token} />}
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
          {...(takesNames && { addressOfName: (name: string) => addressOfName(token, name) })}
          onAddress={(address) => onDestination({ address, wallet: null })}
        />
        {back}
      </Step>
    )
  }
  return (
    <Step title="Where should it go?" lead={`${title} needs a place of its own. You can move it later.`}>
      {problemAlert}
      {keepsWallets === false && (
        <Alert title="This browser can’t keep a wallet by itself">
          Use one that you have, or keep a new one in a file. In another browser it may work with your fingerprint.
        </Alert>
      )}
      {keepsWallets === null ? (
        <Spinner label="Looking at what this browser can do" />
      ) : (
        <ul className="grid gap-3">
          {(keepsWallets ? WITH_PASSKEYS : WITHOUT_PASSKEYS).map((at, place) => (
            <WayButton key={at} {...WAYS[at]} onClick={() => setWay(at)} first={place === 0} />
          ))}
        </ul>
      )}
      <div className="grid gap-2">
        <Button variant="quiet" onClick={onBack}>
          Back to the PIN
        </Button>
        <Decline busy={busy} onDecline={onDecline} />
      </div>
    </Step>
  )
}

const WAYS = {
  make: {
    icon: <Fingerprint />,
    name: 'Make a wallet here',
    hint: 'Best if you have none. Takes a few seconds.',
  },
  connect: { icon: <Wallet />, name: 'Connect a wallet', hint: 'One that is in this browser, or an app.' },
  paste: { icon: <Type />, name: 'Paste an address', hint: 'It starts with 0x.' },
  file: { icon: <FileKey />, name: 'Keep a wallet in a file', hint: 'A password of yours protects it.' },
} satisfies Record<Exclude<Way, 'choose'>, { icon: ReactNode; name: string; hint: string }>

const WITH_PASSKEYS = ['make', 'connect', 'paste'] as const
/** What needs no passkey comes first, and what needs the most care last. */
const WITHOUT_PASSKEYS = ['connect', 'paste', 'file'] as const

/** Whether this browser may keep a wallet; null until it has said. */
function usePasskeysCanWork(): boolean | null {
  const [can, setCan] = useState<boolean | null>(null)
  useEffect(() => {
    void passkeysCanWork().then(setCan)
  }, [])
  return can
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
        <span className="min-w-0 grow wrap-anywhere">
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
