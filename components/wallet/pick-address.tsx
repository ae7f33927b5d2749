'use client'

import { useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useTranslations } from 'next-intl'
import type { Address as ChainAddress } from 'viem'
import { Address } from '@/components/ui/address'
import { AddressInput } from '@/components/ui/address-input'
import { Alert } from '@/components/ui/alert'
import { Button, type ButtonVariant } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import { ConnectButton, ConnectedWallet, useConnectedWallet } from './connect'
import { isEmailAddress } from '@/lib/core/email-address'
import {
  type AddressCheck,
  checkTypedAddress,
  checkTypedName,
  isName,
  type NamedAddress,
  namesNetwork,
} from './typed-address'

type FromProps = {
  busy: boolean
  /** The button's label. */
  action?: string
  onAddress: (address: ChainAddress) => void
}

/** The address of a wallet of this browser. `openAtOnce`: the list of wallets is what was asked for. */
export function FromConnected({
  busy,
  action,
  onAddress,
  variant = 'primary',
  openAtOnce = false,
}: FromProps & { variant?: ButtonVariant; openAtOnce?: boolean }) {
  const t = useTranslations('wallet.connect')
  const tMake = useTranslations('wallet.make')
  const connected = useConnectedWallet()
  if (connected === 'looking') return <Spinner label={t('looking')} />
  if (!connected) return <ConnectButton label={t('choose')} variant={variant} openAtOnce={openAtOnce} />
  return (
    <>
      <ConnectedWallet />
      <Button variant="primary" size="lg" busy={busy} onClick={() => onAddress(connected.address)}>
        {action ?? tMake('putIn')}
      </Button>
    </>
  )
}

type FromPasteProps = FromProps & {
  /** A warning to the person about an address before it is used. null: there is none. */
  warningAbout?: (address: ChainAddress) => Promise<string | null>
  /** Gives the address of an ENS name, or the sentence that says why there is none. Without it names aren't taken. */
  addressOfName?: (name: string) => Promise<{ address: ChainAddress } | { problem: string }>
  /** The item's network; without it an address that names one is refused. */
  networkId?: number | null
  /** Takes an email address as well. `problem`: why none can be used. */
  email?: { problem: string | null; onEmail: (email: string) => void }
  /** Something else is typed. */
  onEdit?: (text: string) => void
  /** It is somebody else’s. */
  isOthers?: boolean
  /** Something else must happen first, which `children` says: there is no button. */
  isBlocked?: boolean
  /** Stands above the button. */
  children?: ReactNode
}

/**
 * A typed or pasted address, checked while typing, a name, whose address is shown first, or an email address. A name,
 * and an address with a warning, are used only when they are sent once more.
 */
export function FromPaste({
  busy,
  action,
  onAddress,
  warningAbout,
  addressOfName,
  networkId = null,
  email,
  onEdit,
  isOthers = false,
  isBlocked = false,
  children,
}: FromPasteProps) {
  const t = useTranslations('wallet.address')
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const [warned, setWarned] = useState<{ address: ChainAddress; warning: string } | null>(null)
  const [named, setNamed] = useState<NamedAddress | null>(null)
  const mailbox = email && isMailbox(text) ? text.trim() : null
  const name = mailbox === null && addressOfName && isName(text) ? text.trim() : null
  const checked = name === null ? checkTypedAddress(text, networkId) : checkTypedName(name, named)
  const fault = mailbox !== null ? faultOfEmail(mailbox) : checked.ok ? null : reasonOf(checked)
  const isComplete = mailbox !== null ? isEmailAddress(mailbox) : text.trim().length >= 42
  const warning = checked.ok && warned?.address === checked.address ? warned.warning : null

  function faultOfEmail(written: string): string | null {
    return email!.problem ?? (isEmailAddress(written) ? null : t('noEmail'))
  }

  function reasonOf(refused: Extract<AddressCheck, { ok: false }>): string | null {
    return refused.fault === null ? refused.problem : t(refused.fault, { count: refused.digits })
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    setTried(true)
    if (asking || isBlocked) return
    if (mailbox !== null) return fault === null ? email!.onEmail(mailbox) : undefined
    if (!checked.ok) return name === null ? undefined : findName(name)
    const { address } = checked
    if (warning === null && warningAbout) {
      setAsking(true)
      const found = await warningAbout(address)
      setAsking(false)
      if (found !== null) return setWarned({ address, warning: found })
    }
    onAddress(address)
  }

  async function findName(asked: string) {
    setAsking(true)
    const found = await addressOfName!(asked)
    setAsking(false)
    setNamed({ name: asked, ...found })
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <Field
        label={t(labelOf(addressOfName !== undefined, email?.problem === null))}
        error={((tried || isComplete) && fault) || null}
        required
      >
        <AddressInput
          name="address"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setTried(false)
            onEdit?.(event.target.value)
          }}
          placeholder={email?.problem === null ? t('exampleOrEmail') : '0x…'}
          inputMode={email ? 'email' : undefined}
        />
      </Field>
      <div aria-live="polite">
        {checked.ok && (
          <div className="grid gap-1 rounded-md bg-well px-4 py-3 text-sm">
            <span className={checked.unchecked || name !== null ? 'text-warn' : 'text-good'}>
              {name !== null ? (
                <Sentence>
                  {t.rich(isOthers ? 'isRight' : 'isYours', { text: name, name: (chunks) => <bdi>{chunks}</bdi> })}
                </Sentence>
              ) : (
                t(checked.unchecked ? 'noCheck' : 'agrees')
              )}
            </span>
            <Address value={checked.address} whole copy={false} />
          </div>
        )}
      </div>
      {warning && (
        <Alert tone="warning" title={t('warning')} live>
          {warning}
        </Alert>
      )}
      <div className="contents">{children}</div>
      {!isBlocked && (
        <Button type="submit" variant="primary" size="lg" busy={busy || asking}>
          {warning ? t('allTheSame') : name !== null && !checked.ok ? t('find') : (action ?? t('send'))}
        </Button>
      )}
    </form>
  )
}

/** Whether a text is meant as an email address: it has an @ and names no network. */
export const isMailbox = (text: string): boolean => text.includes('@') && !namesNetwork(text)

function labelOf(takesNames: boolean, takesEmails: boolean) {
  if (takesEmails) return takesNames ? 'labelNameOrEmail' : 'labelOrEmail'
  return takesNames ? 'labelOrName' : 'label'
}
