'use client'

import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { ChevronRight, Fingerprint, Type, Wallet } from 'lucide-react'
import type { Address as ChainAddress } from 'viem'
import { useConnection } from 'wagmi'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { ConnectButton, ConnectedWallet } from '@/components/wallet/connect'
import { MakeWallet } from '@/components/wallet/make-wallet'
import type { OpenWallet } from '@/components/wallet/open-wallet'
import { Step } from '@/components/wallet/step'
import { judgeAddress } from './address'

export type Destination = { address: ChainAddress; wallet: OpenWallet | null }

type Way = 'choose' | 'make' | 'connect' | 'paste'

export type DestinationStepProps = {
  rpId: string
  title: string
  problem: string | null
  busy: boolean
  onDestination: (destination: Destination) => void
  onBack: () => void
}

/** Where the item should go: a wallet made here, one of the browser's, or an address. */
export function DestinationStep({ rpId, title, problem, busy, onDestination, onBack }: DestinationStepProps) {
  const [way, setWay] = useState<Way>('choose')
  const back = (
    <Button variant="quiet" onClick={() => setWay('choose')} disabled={busy}>
      Another way
    </Button>
  )
  const said = problem && (
    <Alert tone="danger" live>
      {problem}
    </Alert>
  )

  if (way === 'make') {
    return (
      <div className="grid gap-4">
        {said}
        <MakeWallet rpId={rpId} ready="Put it in this wallet" onReady={(wallet) => onDestination({ address: wallet.address, wallet })} />
        {back}
      </div>
    )
  }
  if (way === 'connect') {
    return (
      <Step title="Use a wallet of yours">
        {said}
        <FromConnected busy={busy} onAddress={(address) => onDestination({ address, wallet: null })} />
        {back}
      </Step>
    )
  }
  if (way === 'paste') {
    return (
      <Step title="Send it to an address" lead="Only use the address of a wallet you hold the keys of. An exchange may not show what arrives.">
        {said}
        <FromPaste busy={busy} onAddress={(address) => onDestination({ address, wallet: null })} />
        {back}
      </Step>
    )
  }
  return (
    <Step title="Where should it go?" lead={`${title} needs a place of its own. You can move it later.`}>
      {said}
      <ul className="grid gap-3">
        <WayButton icon={<Fingerprint />} name="Make a wallet here" hint="Best if you have none. Takes a few seconds." onClick={() => setWay('make')} first />
        <WayButton icon={<Wallet />} name="Connect a wallet" hint="One that is in this browser." onClick={() => setWay('connect')} />
        <WayButton icon={<Type />} name="Paste an address" hint="It starts with 0x." onClick={() => setWay('paste')} />
      </ul>
      <Button variant="quiet" onClick={onBack}>
        Back to the PIN
      </Button>
    </Step>
  )
}

function WayButton({ icon, name, hint, onClick, first = false }: { icon: ReactNode; name: string; hint: string; onClick: () => void; first?: boolean }) {
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
        <ChevronRight aria-hidden="true" className="size-5 text-muted transition-transform group-hover:translate-x-0.5" />
      </button>
    </li>
  )
}

function FromConnected({ busy, onAddress }: { busy: boolean; onAddress: (address: ChainAddress) => void }) {
  const { address } = useConnection()
  if (!address) return <ConnectButton label="Choose a wallet" />
  return (
    <>
      <ConnectedWallet />
      <Button variant="primary" size="lg" busy={busy} onClick={() => onAddress(address)}>
        Put it in this wallet
      </Button>
    </>
  )
}

function FromPaste({ busy, onAddress }: { busy: boolean; onAddress: (address: ChainAddress) => void }) {
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const judged = judgeAddress(text)

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (judged.ok) onAddress(judged.address)
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field label="Address" error={(tried || text.trim().length >= 42) && !judged.ok ? judged.reason : null} required>
        <Input
          name="address"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setTried(false)
          }}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder="0x…"
          className="figures"
        />
      </Field>
      <div aria-live="polite">
        {judged.ok && (
          <div className="grid gap-1 rounded-md bg-well px-4 py-3 text-sm">
            <span className={judged.unchecked ? 'text-warn' : 'text-good'}>
              {judged.unchecked ? 'Compare every character: this one carries no check against typing mistakes.' : 'The address’s own check agrees.'}
            </span>
            <Address value={judged.address} whole copy={false} />
          </div>
        )}
      </div>
      <Button type="submit" variant="primary" size="lg" busy={busy}>
        Send it there
      </Button>
    </form>
  )
}
