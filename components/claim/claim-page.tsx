'use client'

import { useEffect, useRef, useState } from 'react'
import dynamic from 'next/dynamic'
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import type { Hex } from 'viem'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { titleOf } from '@/components/ui/picture'
import { Spinner } from '@/components/ui/spinner'
import { Time } from '@/components/ui/time'
import { toBase64Url } from '@/components/wallet/base64url'
import type { NetworkFacts } from '@/components/wallet/network'
import type { OpenWallet } from '@/components/wallet/open-wallet'
import { Queries } from '@/components/wallet/queries'
import { transactionFailed } from '@/components/wallet/relay'
import { read, rememberedWallet, write } from '@/components/wallet/remember'
import { Problem, Unreachable, sentenceOf } from '@/components/wallet/request'
import { Step } from '@/components/wallet/step'
import type { VoucherEntry } from '@/components/wallet/voucher'
import { getClaim, isMoving, redeem, sayOpened, sceneOf, sendPin } from './claim'
import type { ClaimItem, ClaimView, Scene } from './claim'
import { Closed } from './closed'
import type { Destination } from './destination-step'
import { Details } from './details'
import { ItemCase } from './item-case'
import { PinStep } from './pin-step'
import { Progress } from './progress'

export type ClaimPageProps = {
  token: string
  initial: ClaimView
  item: ClaimItem
  network: NetworkFacts
  rpId: string
}

export function ClaimPage(props: ClaimPageProps) {
  return (
    <Queries>
      <Claim {...props} />
    </Queries>
  )
}

const loadWalletSteps = () => import('./wallet-steps').then((module) => module.WalletSteps)
const WalletSteps = dynamic(loadWalletSteps, { ssr: false, loading: () => <Spinner label="One moment" /> })

/** How far the recipient has come in asking. The claim's own state, from the API, always goes first. */
type Asking =
  | { at: 'start'; problem: string | null }
  | { at: 'pin'; problem: string | null; notice: string | null }
  | { at: 'where'; pin: string; problem: string | null }

const pinMinutes = 10
const resendSeconds = 60

function Claim({ token, initial, item: firstItem, network, rpId }: ClaimPageProps) {
  const [asking, setAsking] = useState<Asking>({ at: 'start', problem: null })
  const [busy, setBusy] = useState<'pin' | 'redeem' | null>(null)
  const [resendFrom, setResendFrom] = useState(0)
  const [destination, setDestination] = useState<Destination | null>(null)
  const [wallet, setWallet] = useState<OpenWallet | null>(null)
  const [madeHere, setMadeHere] = useState<string | null>(null)
  const [sent, setSent] = useState<Hex | null>(null)
  const [sentProblem, setSentProblem] = useState<string | null>(null)
  const [alive, setAlive] = useState(false)
  const attempt = useRef({ of: '', key: '' })

  const query = useQuery({
    queryKey: ['claim', token],
    queryFn: ({ signal }) => getClaim(token, signal),
    initialData: initial,
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data && (sent || isMoving(sceneOf(state.data, Date.now()))) ? 2_000 : false),
  })
  const claim = query.data
  const item = claim.item ?? firstItem
  const title = titleOf(item)
  const entry = claim.voucher
  const scene = sent && sceneOf(claim, query.dataUpdatedAt) === 'voucher' ? 'on_its_way' : sceneOf(claim, query.dataUpdatedAt)
  const pinPlace = `vitrine.pin-sent.${item.id}`

  useEffect(() => {
    setAlive(true)
    void sayOpened(token)
    setMadeHere(rememberedWallet()?.address ?? null)
    const sentAt = Number(read(pinPlace) ?? 0)
    if (Date.now() - sentAt > pinMinutes * 60_000) return
    setResendFrom(sentAt + resendSeconds * 1000)
    setAsking({ at: 'pin', problem: null, notice: null })
  }, [token, pinPlace])

  useEffect(() => {
    if (asking.at === 'pin') void loadWalletSteps()
  }, [asking.at])

  useEffect(() => {
    if (entry) setSent(read(sentPlace(entry)) as Hex | null)
  }, [entry])

  const waitsForChain = sent !== null && scene === 'on_its_way'
  const receipt = useQuery({
    queryKey: ['receipt', sent],
    queryFn: () => transactionFailed(network.id, sent!),
    enabled: waitsForChain,
    refetchInterval: 4_000,
  })
  useEffect(() => {
    if (receipt.data !== true || !entry) return
    write(sentPlace(entry), null)
    setSent(null)
    setSentProblem('The network turned it down, so nothing has happened. You can try once more.')
  }, [receipt.data, entry])

  async function askForPin() {
    setBusy('pin')
    try {
      await sendPin(token)
      pinIsOut(resendSeconds, asking.at === 'pin' ? 'A new PIN is on its way to your mailbox.' : null)
    } catch (failure) {
      await handleAsking(failure)
    } finally {
      setBusy(null)
    }
  }

  function pinIsOut(seconds: number, notice: string | null) {
    setResendFrom(Date.now() + seconds * 1000)
    write(pinPlace, String(Date.now() + (seconds - resendSeconds) * 1000))
    setAsking({ at: 'pin', problem: null, notice })
  }

  async function handleAsking(failure: unknown) {
    const wait = failure instanceof Problem && failure.code === 'rate_limited' ? failure.retryAfterSeconds : null
    // A PIN went out less than a minute ago, perhaps from another tab: that one is good.
    if (wait && wait <= resendSeconds) return pinIsOut(wait, 'A PIN was sent a moment ago. Use that one.')
    if (failure instanceof Problem && failure.status === 409) return void (await query.refetch())
    const problem = sentenceOf(failure)
    setAsking(asking.at === 'pin' ? { at: 'pin', problem, notice: null } : { at: 'start', problem })
  }

  async function deliver(pin: string, to: Destination) {
    setBusy('redeem')
    setDestination(to)
    if (to.wallet) setWallet(to.wallet)
    const of = `${pin} ${to.address}`
    if (attempt.current.of !== of) attempt.current = { of, key: toBase64Url(crypto.getRandomValues(new Uint8Array(24))) }
    try {
      await redeem(token, { address: to.address, pin }, attempt.current.key)
      write(pinPlace, null)
      await query.refetch()
      setAsking({ at: 'start', problem: null })
    } catch (failure) {
      if (!(failure instanceof Unreachable)) attempt.current = { of: '', key: '' }
      await handleRedeem(failure, pin)
    } finally {
      setBusy(null)
    }
  }

  async function handleRedeem(failure: unknown, pin: string) {
    const code = failure instanceof Problem ? failure.code : ''
    switch (code) {
      case 'pin_wrong':
        return setAsking({ at: 'pin', notice: null, problem: wrongPinSentence((failure as Problem).triesLeft) })
      case 'pin_expired':
      case 'pin_required':
        return setAsking({ at: 'pin', notice: null, problem: 'This PIN doesn’t work any more. Ask for another one below.' })
      case 'claim_locked':
      case 'claim_already_claimed':
      case 'claim_not_active':
        return void (await query.refetch())
      case 'address_cannot_receive':
        setDestination(null)
        return setAsking({ at: 'where', pin, problem: 'This address belongs to a contract that can’t hold the item. Choose another one.' })
      default:
        setDestination(null)
        setAsking({ at: 'where', pin, problem: sentenceOf(failure) })
    }
  }

  function onPin(pin: string) {
    if (destination) void deliver(pin, destination)
    else setAsking({ at: 'where', pin, problem: null })
  }

  function onSent(hash: Hex) {
    if (entry) write(sentPlace(entry), hash)
    setSentProblem(null)
    setSent(hash)
  }

  function forgetSent() {
    if (entry) write(sentPlace(entry), null)
    setSent(null)
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
      <div className="lg:sticky lg:top-8 lg:self-start">
        <ItemCase item={item} quantity={Number(claim.quantity)} />
      </div>
      <section aria-label="Getting it" className="grid content-start gap-8">
        <p role="status" className="sr-only">
          {alive ? announcements[scene] : ''}
        </p>
        {panel()}
        <Details claim={claim} network={network} sentHash={sent} />
      </section>
    </div>
  )

  function panel() {
    switch (scene) {
      case 'open':
        return asked()
      case 'voucher':
        return (
          <>
            {sentProblem && (
              <Alert tone="danger" live>
                {sentProblem}
              </Alert>
            )}
            <WalletSteps
              network={network}
              step="voucher"
              voucher={{
                rpId,
                network,
                entry: entry!,
                wallet,
                madeHere: madeHere !== null && madeHere.toLowerCase() === entry!.minter.toLowerCase(),
                onWallet: setWallet,
                onSent,
              }}
            />
          </>
        )
      case 'confirming':
      case 'on_its_way':
        return (
          <Step title="It’s on its way to you" lead="You can close this page. The link in your email always brings you back here." takeFocus={alive}>
            <Progress reached={scene === 'confirming' ? 0 : 1} />
            {waitsForChain && (
              <Button variant="quiet" onClick={forgetSent} className="justify-self-start">
                Nothing is moving? Send it again
              </Button>
            )}
          </Step>
        )
      case 'yours':
        return (
          <Step title={`${title} is yours`} lead="Keep the email: its link always brings you back here." takeFocus={alive}>
            <Progress reached={2} />
            {(wallet || madeHere) && (
              <LinkButton href="/wallet" size="lg" variant="primary">
                Open my wallet
              </LinkButton>
            )}
          </Step>
        )
      default:
        return <Closed reason={scene} takeFocus={alive} />
    }
  }

  function asked() {
    switch (asking.at) {
      case 'start':
        return (
          <Step
            title="Someone sent you this"
            takeFocus={alive}
            lead={<>To make sure that it reaches the right person, we send a PIN to {claim.email_hint ?? 'the address this link came to'}.</>}
          >
            {claim.delivery.state === 'FAILED' && (
              <Alert tone="warning" title="The last delivery did not arrive">
                {claim.delivery.failure ?? 'The network turned it down.'} Nothing is lost: ask for a new PIN and try again, with another address if you can.
              </Alert>
            )}
            {asking.problem && (
              <Alert tone="danger" live>
                {asking.problem}
              </Alert>
            )}
            <Button variant="primary" size="lg" busy={busy === 'pin'} onClick={askForPin} icon={<Mail aria-hidden="true" className="size-5" />}>
              Send me my PIN
            </Button>
            {claim.expires_at && (
              <p className="text-sm text-muted">
                You can take your time until <Time at={claim.expires_at} />.
              </p>
            )}
          </Step>
        )
      case 'pin':
        return (
          <PinStep
            emailHint={claim.email_hint}
            problem={asking.problem}
            notice={asking.notice}
            busy={busy === 'redeem'}
            sending={busy === 'pin'}
            resendFrom={resendFrom}
            onResend={askForPin}
            onPin={onPin}
          />
        )
      case 'where':
        return (
          <WalletSteps
            network={network}
            step="where"
            where={{
              rpId,
              title,
              problem: asking.problem,
              busy: busy === 'redeem',
              onDestination: (to) => void deliver(asking.pin, to),
              onBack: () => setAsking({ at: 'pin', problem: null, notice: null }),
            }}
          />
        )
    }
  }
}

const announcements = {
  open: '',
  voucher: 'It is reserved for you. One last step is left.',
  confirming: 'Confirming. This takes a moment.',
  on_its_way: 'On its way to your wallet.',
  yours: 'It has arrived. It is yours.',
  expired: 'This link has expired.',
  locked: 'This link is locked.',
  revoked: 'This link was taken back.',
  replaced: 'There is a newer link.',
} satisfies Record<Scene, string>

function wrongPinSentence(triesLeft: number | null): string {
  if (triesLeft === null) return 'That isn’t the PIN.'
  if (triesLeft === 0) return 'That isn’t the PIN, and it was the last try. Ask for another PIN below.'
  return `That isn’t the PIN. You have ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`
}

/** Where this browser remembers that a voucher was sent, so that a reload doesn't ask to send it again. */
const sentPlace = ({ contract, voucher }: VoucherEntry) => `vitrine.mint-sent.${contract}.${voucher.token_id}.${voucher.nonce}`
