'use client'

import { useState } from 'react'
import type { SubmitEvent } from 'react'
import type { Address as ChainAddress } from 'viem'
import { useConnection } from 'wagmi'
import { Address } from '@/components/ui/address'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { ConnectButton, ConnectedWallet } from './connect'
import { checkTypedAddress } from './typed-address'

type FromProps = {
  busy: boolean
  /** The button's label. */
  action?: string
  onAddress: (address: ChainAddress) => void
}

/** The address of a wallet of this browser. */
export function FromConnected({ busy, action = 'Put it in this wallet', onAddress }: FromProps) {
  const { address } = useConnection()
  if (!address) return <ConnectButton label="Choose a wallet" />
  return (
    <>
      <ConnectedWallet />
      <Button variant="primary" size="lg" busy={busy} onClick={() => onAddress(address)}>
        {action}
      </Button>
    </>
  )
}

/** A typed or pasted address, checked while typing. */
export function FromPaste({ busy, action = 'Send it there', onAddress }: FromProps) {
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const checked = checkTypedAddress(text)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setTried(true)
    if (checked.ok) onAddress(checked.address)
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field
        label="Address"
        error={(tried || text.trim().length >= 42) && !checked.ok ? checked.reason : null}
        required
      >
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
        {checked.ok && (
          <div className="grid gap-1 rounded-md bg-well px-4 py-3 text-sm">
            <span className={checked.unchecked ? 'text-warn' : 'text-good'}>
              {checked.unchecked
                ? 'Compare every character: this one carries no check against typing mistakes.'
                : 'The address’s own check agrees.'}
            </span>
            <Address value={checked.address} whole copy={false} />
          </div>
        )}
      </div>
      <Button type="submit" variant="primary" size="lg" busy={busy}>
        {action}
      </Button>
    </form>
  )
}
