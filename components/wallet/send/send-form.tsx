'use client'

import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { Address as ChainAddress } from 'viem'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Fact, Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { titleOf } from '@/components/ui/item-title'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import { Problem } from '@/packages/client/src/call'
import { coins, type NetworkFacts } from '../../shared/network'
import type { WalletItemInFull } from '../items'
import { NeedsCoins } from '../needs-coins'
import { FromPaste, isMailbox } from '../pick-address'
import { useAddressOfName } from '../use-address-of-name'
import type { RememberedSend } from './remembered-sends'
import { quoteFee, type SendingWallet } from './sending-wallet'
import { EmailNote } from './email-note'
import {
  emailFaultOf,
  newOrder,
  type Receiver,
  requestTransfer,
  type Signed,
  signedOf,
  type Terms,
  warningAbout,
} from './transfers'
import { useHolderPaysText } from './use-holder-pays-text'
import { useSendText } from './use-send-text'

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
  const t = useTranslations('ownWallet.send')
  const tVoucher = useTranslations('wallet.voucher')
  const tItem = useTranslations('ownWallet.item')
  const format = useFormatter()
  const locale = useLocale()
  const sendText = useSendText(wallet, network)
  const holderPaysText = useHolderPaysText()
  const addressOfName = useAddressOfName()
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
  const reason = refusal ?? (terms.reason_code && t(`holderPays.${terms.reason_code}`)) ?? ''
  const emailFault = emailFaultOf(item, terms, holderPays)
  const seller = item.organization.name

  async function send(receiver: Receiver) {
    const { to, email } = receiver
    if (units === null) return
    if (to.toLowerCase() === from.toLowerCase()) return setProblem(t('sameAddress'))
    setBusy(true)
    setProblem(null)
    try {
      if (holderPays) await pay(to, units)
      else
        onSent({
          transferId: (await ask(receiver, units)).id,
          ...(email !== null && { mailbox: { email, title: titleOf(item, locale), seller } }),
        })
    } catch (failure) {
      if (failure instanceof Problem && failure.code === 'holder_pays') {
        // It may be on its way already, from another device.
        await onRefused()
        setRefusal(holderPaysText(failure))
      } else {
        // A transfer that the API refused is signed anew. One that it never answered isn't: asked again, the same
        // request is done once.
        if (failure instanceof Problem) {
          signed.current = null
          if (failure.fields[0]?.code === 'not_custodian') await onRefused()
        }
        setProblem(sendText(failure))
      }
    }
    setBusy(false)
  }

  async function warn(to: ChainAddress): Promise<string | null> {
    const warning = await warningAbout(item, from, to)
    return warning && t(`warnings.${warning}`, { name: seller })
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
      action={busy && wallet.kind === 'connected' ? tVoucher('inWallet') : tItem('send')}
      onAddress={(to) => void send({ to, email: null })}
      warningAbout={warn}
      {...(takesNames && { addressOfName })}
      networkId={network.id}
      isOthers
      email={{
        problem: emailFault && t(`noEmail.${emailFault}`, { name: seller, reason }),
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
          label={t('howMany')}
          hint={t('have', { count: format.number(held) })}
          error={units === null ? t('wrongNumber', { count: format.number(held) }) : null}
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
        {isForMailbox && emailFault === null ? (
          <EmailNote seller={seller} days={terms.escrow!.days} />
        ) : !holderPays ? (
          <p className="text-sm text-muted">
            <Sentence>{t.rich('paid', { name: seller, seller: (name) => <bdi>{name}</bdi> })}</Sentence>
          </p>
        ) : (
          <>
            <p className="text-sm text-muted">{t('notPaid', { reason })}</p>
            {fee.data ? (
              <Facts className="rounded-md border px-4">
                <Fact name={t('fee')}>
                  <bdi className="figures">{coins(fee.data.about, network, locale)}</bdi>
                </Fact>
                <Fact name={tVoucher('balance')}>
                  <bdi className="figures">{coins(fee.data.balance, network, locale, 'down')}</bdi>
                </Fact>
              </Facts>
            ) : fee.isError ? (
              <Alert tone="warning" action={<Button onClick={() => void fee.refetch()}>{tVoucher('askAgain')}</Button>}>
                {tVoucher('noQuote')}
              </Alert>
            ) : (
              <Spinner label={tVoucher('asking')} />
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
