'use client'

import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Address as ChainAddress } from 'viem'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Fact, Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { titleOf } from '@/components/ui/picture'
import { Spinner } from '@/components/ui/spinner'
import { Problem } from '@/packages/client/src/call'
import { coins, type NetworkFacts } from '../../shared/network'
import { addressOfName, type WalletItemInFull } from '../items'
import { NeedsCoins } from '../needs-coins'
import { FromPaste, isMailbox } from '../pick-address'
import { useWalletText } from '../use-wallet-text'
import type { RememberedSend } from './remembered-sends'
import { problemOf, quoteFee, type SendingWallet } from './sending-wallet'
import { EmailNote } from './email-note'
import {
  emailProblemOf,
  newOrder,
  type Receiver,
  requestTransfer,
  type Signed,
  signedOf,
  type Terms,
  warningAbout,
} from './transfers'

export type SendFormProps = {
  item: WalletItemInFull
  from: ChainAddress
  network: NetworkFacts
  takesNames: boolean
  terms: Terms
  wallet: SendingWallet
  onSent: (send: RememberedSend) => void
  /** The organization doesn't pay after all: whether it still does, and why, is asked again. */
  onRefused: () => Promise<unknown>
}

/** To whom, how many, and who pays the fee, with one button. */
export function SendForm({ item, from, network, takesNames, terms, wallet, onSent, onRefused }: SendFormProps) {
  const walletText = useWalletText()
  const [quantity, setQuantity] = useState('1')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isForMailbox, setForMailbox] = useState(false)
  const signed = useRef<(Receiver & { quantity: number; body: Signed }) | null>(null)
  const holderPays = terms.gas_payer === 'HOLDER' || refusal !== null
  const fee = useQuery({
    queryKey: ['send-fee', network.id, from, wallet.kind],
    queryFn: () => quoteFee(network.id, from, wallet.usualGas),
    enabled: holderPays,
    refetchInterval: busy ? false : 10_000,
  })
  const held = Number(item.quantity)
  const units = unitsIn(quantity, held)
  const emailProblem = emailProblemOf(item, terms, holderPays ? (refusal ?? terms.reason) : null)

  async function send(receiver: Receiver) {
    const { to, email } = receiver
    if (units === null) return
    if (to.toLowerCase() === from.toLowerCase()) return setProblem('It is there already. Choose another address.')
    setBusy(true)
    setProblem(null)
    try {
      if (holderPays) await pay(to, units)
      else
        onSent({
          transferId: (await ask(receiver, units)).id,
          ...(email !== null && { mailbox: { email, title: titleOf(item), seller: item.organization.name } }),
        })
    } catch (failure) {
      if (failure instanceof Problem && failure.code === 'holder_pays') {
        // It may be on its way already, from another device.
        await onRefused()
        setRefusal(failure.detail)
      } else {
        // What the API refused is signed anew. What it never answered isn't: asked again, the same request is done once.
        if (failure instanceof Problem) {
          signed.current = null
          if (failure.fields[0]?.code === 'not_custodian') await onRefused()
        }
        setProblem(problemOf(failure, wallet, network, walletText))
      }
    }
    setBusy(false)
  }

  async function ask({ to, email }: Receiver, quantity: number) {
    const last = signed.current
    if (last?.to === to && last.email === email && last.quantity === quantity) return requestTransfer(last.body)
    const order = newOrder(item, { from, to, quantity: BigInt(quantity) })
    const body = signedOf(item, order, { email, signature: await wallet.sign(order) })
    signed.current = { to, email, quantity, body }
    return requestTransfer(body)
  }

  async function pay(to: ChainAddress, quantity: number) {
    const order = newOrder(item, { from, to, quantity: BigInt(quantity) })
    onSent({ hash: await wallet.pay(order, fee.data!), to, quantity, held })
  }

  const missing = holderPays && fee.data ? fee.data.needed - fee.data.balance : 0n
  const isBlocked = holderPays && (!fee.data || (missing > 0n && wallet.kind === 'own'))
  return (
    <FromPaste
      busy={busy}
      action={busy && wallet.kind === 'connected' ? 'Confirm it in your wallet' : 'Send it'}
      onAddress={(to) => void send({ to, email: null })}
      warningAbout={(to) => warningAbout(item, from, to)}
      {...(takesNames && { addressOfName })}
      isOthers
      email={{
        problem: emailProblem,
        onEmail: (email) => void send({ to: terms.escrow!.to_address as ChainAddress, email }),
      }}
      onEdit={(text) => {
        setProblem(null)
        setForMailbox(isMailbox(text))
      }}
      isBlocked={isBlocked}
    >
      {held > 1 && (
        <Field
          label="How many"
          hint={`You have ${held}.`}
          error={units === null ? `A whole number from 1 to ${held} is needed.` : null}
          required
        >
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={quantity}
            onChange={(event) => setQuantity(event.target.value)}
            className="figures max-w-32"
          />
        </Field>
      )}
      <div aria-live="polite" className="grid gap-4">
        {isForMailbox && emailProblem === null ? (
          <EmailNote seller={item.organization.name} days={terms.escrow!.days} />
        ) : !holderPays ? (
          <p className="text-sm text-muted">
            <bdi>{item.organization.name}</bdi> pays the network fee. Once it has arrived, nobody can bring it back.
          </p>
        ) : (
          <>
            <p className="text-sm text-muted">
              {refusal ?? terms.reason} Once it has arrived, nobody can bring it back.
            </p>
            {fee.data ? (
              <Facts className="rounded-md border px-4">
                <Fact name="You pay the network fee, about">
                  <span className="figures">{coins(fee.data.about, network)}</span>
                </Fact>
                <Fact name="In your wallet">
                  <span className="figures">{coins(fee.data.balance, network, 'down')}</span>
                </Fact>
              </Facts>
            ) : fee.isError ? (
              <Alert tone="warning" action={<Button onClick={() => void fee.refetch()}>Ask again</Button>}>
                The network doesn’t tell what this costs right now.
              </Alert>
            ) : (
              <Spinner label="Asking what it costs" />
            )}
          </>
        )}
      </div>
      {missing > 0n && <NeedsCoins address={from} missing={missing} network={network} />}
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
    </FromPaste>
  )
}

function unitsIn(text: string, held: number): number | null {
  const units = Number(text.trim())
  return Number.isInteger(units) && units >= 1 && units <= held ? units : null
}
