'use client'

import { useEffect, useRef, useState } from 'react'
import dynamic from 'next/dynamic'
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { titleOf } from '@/components/ui/picture'
import { Spinner } from '@/components/ui/spinner'
import { Time } from '@/components/ui/time'
import { useAlive } from '@/components/ui/use-alive'
import { toBase64Url } from '@/components/wallet/base64url'
import type { NetworkFacts } from '@/components/shared/network'
import type { OpenWallet } from '@/components/wallet/open-wallet'
import { Queries } from '@/components/shared/queries'
import { transactionFailed } from '@/components/wallet/relay'
import { read, walletIn, walletPlace, write } from '@/components/shared/remember'
import { Problem, Unreachable, sentenceOf } from '@/components/shared/request'
import { Step } from '@/components/shared/step'
import { useStored } from '@/components/shared/use-stored'
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
  | { at: 'pin'; since: number; problem: string | null; notice: string | null }
  | { at: 'where'; pin: string; problem: string | null }

const pinSeconds = 600
const resendSeconds = 60

function Claim({ token, initial, item: firstItem, network, rpId }: ClaimPageProps) {
  const [asked, setAsking] = useState<Asking | null>(null)
  const [busy, setBusy] = useState<'pin' | 'redeem' | null>(null)
  const [destination, setDestination] = useState<Destination | null>(null)
  const [wallet, setWallet] = useState<OpenWallet | null>(null)
  const attempt = useRef({ of: '', key: '' })
  const alive = useAlive()

  const query = useQuery({
    queryKey: ['claim', token],
    queryFn: ({ signal }) => getClaim(token, signal),
    initialData: initial,
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 2_000 : false),
  })
  const claim = query.data
  const item = claim.item ?? firstItem
  const title = titleOf(item)
  const entry = claim.voucher
  const known = sceneOf(claim, query.dataUpdatedAt)

  const pinPlace = `vitrine.pin-sent.${item.id}`
  const pinSentAt = Number(useStored(pinPlace) ?? 0)
  const pinIsGood = query.dataUpdatedAt - pinSentAt < pinSeconds * 1000
  const asking: Asking =
    asked ?? (pinIsGood ? { at: 'pin', since: 0, problem: null, notice: null } : { at: 'start', problem: null })

  const sentPlace = sentPlaceOf(claim)
  const sent = useStored(sentPlace)
  const turnedDown = useQuery({
    queryKey: ['turned-down', sent],
    queryFn: () => transactionFailed(network.id, sent!),
    enabled: sent !== null && known === 'voucher',
    refetchInterval: 4_000,
  }).data
  const waits = sent !== null && known === 'voucher' && !turnedDown
  const scene = waits ? 'on_its_way' : known
  const madeHere = walletIn(useStored(walletPlace))?.address ?? null

  useEffect(() => {
    void sayOpened(token)
  }, [token])

  useEffect(() => {
    // Loaded ahead of its use; a failure shows when it is needed.
    if (asking.at === 'pin') loadWalletSteps().catch(() => undefined)
  }, [asking.at])

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

  /** `wait` is in seconds: how long until another PIN may be asked for. */
  function pinIsOut(wait: number, notice: string | null) {
    write(pinPlace, String(momentIn(wait - resendSeconds)))
    toPin(null, notice)
  }

  const toPin = (problem: string | null, notice: string | null = null) =>
    setAsking({ at: 'pin', since: momentIn(0), problem, notice })

  async function handleAsking(failure: unknown) {
    const wait = failure instanceof Problem && failure.code === 'rate_limited' ? failure.retryAfterSeconds : null
    // A PIN went out less than a minute ago, perhaps from another tab: that one is good.
    if (wait && wait <= resendSeconds) return pinIsOut(wait, 'A PIN was sent a moment ago. Use that one.')
    if (failure instanceof Problem && failure.status === 409 && failure.code !== 'address_suppressed')
      return void (await query.refetch())
    if (asking.at === 'pin') return toPin(sentenceOf(failure))
    setAsking({ at: 'start', problem: sentenceOf(failure) })
  }

  async function deliver(pin: string, to: Destination) {
    setBusy('redeem')
    setDestination(to)
    if (to.wallet) setWallet(to.wallet)
    const of = `${pin} ${to.address}`
    if (attempt.current.of !== of)
      attempt.current = { of, key: toBase64Url(crypto.getRandomValues(new Uint8Array(24))) }
    try {
      await redeem(token, { address: to.address, pin }, attempt.current.key)
      write(pinPlace, null)
      await query.refetch()
      setAsking(null)
    } catch (failure) {
      if (!(failure instanceof Unreachable)) attempt.current = { of: '', key: '' }
      await handleRedeem(failure, pin)
    } finally {
      setBusy(null)
    }
  }

  async function handleRedeem(failure: unknown, pin: string) {
    switch (failure instanceof Problem ? failure.code : '') {
      case 'pin_wrong':
        return toPin(wrongPinSentence((failure as Problem).triesLeft))
      case 'pin_expired':
      case 'pin_required':
        return toPin('This PIN doesn’t work any more. Ask for another one below.')
      case 'claim_locked':
      case 'claim_already_claimed':
      case 'claim_not_active':
        return void (await query.refetch())
      case 'address_cannot_receive':
        setDestination(null)
        return setAsking({
          at: 'where',
          pin,
          problem: 'This address belongs to a contract that can’t hold the item. Choose another one.',
        })
      default:
        setDestination(null)
        setAsking({ at: 'where', pin, problem: sentenceOf(failure) })
    }
  }

  function onPin(pin: string) {
    if (destination) void deliver(pin, destination)
    else setAsking({ at: 'where', pin, problem: null })
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
        return ask()
      case 'voucher':
        return (
          <>
            {turnedDown && (
              <Alert tone="danger" live>
                The network turned it down, so nothing has happened. You can try once more.
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
                onSent: (hash) => write(sentPlace, hash),
              }}
            />
          </>
        )
      case 'confirming':
      case 'on_its_way':
        return (
          <Step
            title="It’s on its way to you"
            lead="You can close this page. The link in your email always brings you back here."
            takeFocus={alive}
          >
            <Progress reached={scene === 'confirming' ? 0 : 1} />
            {waits && (
              <Button variant="quiet" onClick={() => write(sentPlace, null)} className="justify-self-start">
                Nothing is moving? Send it again
              </Button>
            )}
          </Step>
        )
      case 'yours':
        return (
          <Step
            title={`${title} is yours`}
            lead="Keep the email: its link always brings you back here."
            takeFocus={alive}
          >
            <Progress reached={2} />
            {(wallet || madeHere) && (
              <LinkButton href="/wallet" size="lg" variant="primary">
                Open my wallet
              </LinkButton>
            )}
          </Step>
        )
      case 'expired':
      case 'locked':
      case 'revoked':
      case 'replaced':
        return <Closed reason={scene} takeFocus={alive} />
    }
  }

  function ask() {
    switch (asking.at) {
      case 'start':
        return (
          <Step
            title="Someone sent you this"
            takeFocus={alive}
            lead={
              <>
                To make sure that it reaches the right person, we send a PIN to{' '}
                {claim.email_hint ?? 'the address this link came to'}.
              </>
            }
          >
            {claim.delivery.state === 'FAILED' && (
              <Alert tone="warning" title="The last delivery did not arrive">
                {claim.delivery.failure ?? 'The network turned it down.'} Nothing is lost: ask for a new PIN and try
                again, with another address if you can.
              </Alert>
            )}
            {asking.problem && (
              <Alert tone="danger" live>
                {asking.problem}
              </Alert>
            )}
            <Button
              variant="primary"
              size="lg"
              busy={busy === 'pin'}
              onClick={askForPin}
              icon={<Mail aria-hidden="true" className="size-5" />}
            >
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
            key={asking.since}
            emailHint={claim.email_hint}
            problem={asking.problem}
            notice={asking.notice}
            busy={busy === 'redeem'}
            sending={busy === 'pin'}
            resendFrom={pinSentAt + resendSeconds * 1000}
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
              onBack: () => toPin(null),
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

/** Where this browser keeps that the voucher was sent, so that a reload doesn't ask to send it again. */
const sentPlaceOf = ({ voucher: entry }: ClaimView): string =>
  entry ? `vitrine.mint-sent.${entry.contract}.${entry.voucher.token_id}.${entry.voucher.nonce}` : ''

/** Whether news are to be expected soon. */
function isUnderWay(claim: ClaimView): boolean {
  const scene = sceneOf(claim, Date.now())
  return isMoving(scene) || (scene === 'voucher' && read(sentPlaceOf(claim)) !== null)
}

const momentIn = (seconds: number) => Date.now() + seconds * 1000

function wrongPinSentence(triesLeft: number | null): string {
  if (triesLeft === null) return 'That isn’t the PIN.'
  if (triesLeft === 0) return 'That isn’t the PIN, and it was the last try. Ask for another PIN below.'
  return `That isn’t the PIN. You have ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`
}
