'use client'

import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import { ChevronRight, FileKey, Fingerprint, Type, Wallet } from 'lucide-react'
import type { Address as ChainAddress } from 'viem'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Quoted } from '@/components/ui/quoted'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import { MakeWallet } from '@/components/wallet/make-wallet'
import type { OpenWallet } from '@/components/wallet/open-wallet'
import { passkeysCanWork } from '@/components/wallet/passkey'
import { FromConnected, FromPaste } from '@/components/wallet/pick-address'
import { Step } from '@/components/shared/step'
import { useFailureText } from '@/components/shared/failure-text'
import { addressOfName, warningAbout } from './claim'
import { Elsewhere, walletIsElsewhere } from './elsewhere'

export type Destination = { address: ChainAddress; wallet: OpenWallet | null }

type Way = 'choose' | 'make' | 'connect' | 'paste' | 'file'

export type DestinationStepProps = {
  token: string
  /** Whether ENS names can be looked up. */
  takesNames: boolean
  rpId: string
  networkId: number
  title: string
  problem: string | null
  busy: boolean
  onDestination: (destination: Destination) => void
  onDecline: () => void
  onBack: () => void
}

/** Chooses where the item goes: a wallet made here, a wallet of the browser, or an address. */
export function DestinationStep({
  token,
  takesNames,
  rpId,
  networkId,
  title,
  problem,
  busy,
  onDestination,
  onDecline,
  onBack,
}: DestinationStepProps) {
  const t = useTranslations('claim.place')
  const failureText = useFailureText()
  const [way, setWay] = useState<Way>('choose')
  const keepsWallets = usePasskeysCanWork()
  const tMake = useTranslations('wallet.make')
  const warn = async (address: string) => {
    const warning = await warningAbout(token, address)
    return warning && t(warning)
  }
  const find = (name: string) =>
    addressOfName(token, name).then(
      (address) => (address ? { address } : { problem: t('noName') }),
      (failure: unknown) => ({ problem: failureText(failure) }),
    )
  const back = (
    <Button variant="quiet" onClick={() => setWay('choose')} disabled={busy}>
      {t('anotherWay')}
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
          ready="putIn"
          startAtOnce
          onReady={(wallet) => onDestination({ address: wallet.address, wallet })}
        />
        {back}
      </div>
    )
  }
  if (way === 'connect') {
    return (
      <Step title={t('useYours')}>
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
      <Step title={t('toAddress')} lead={t('toAddressLead')}>
        {problemAlert}
        <FromPaste
          busy={busy}
          warningAbout={warn}
          {...(takesNames && { addressOfName: find })}
          networkId={networkId}
          onAddress={(address) => onDestination({ address, wallet: null })}
        />
        {back}
      </Step>
    )
  }
  return (
    <Step
      title={t('title')}
      lead={<Sentence>{t.rich('lead', { title, item: () => <Quoted>{title}</Quoted> })}</Sentence>}
    >
      {problemAlert}
      {keepsWallets === false && <Alert title={t('noWalletTitle')}>{t('noWallet')}</Alert>}
      {keepsWallets === null ? (
        <Spinner label={tMake('looking')} />
      ) : (
        <ul className="grid gap-3">
          {(keepsWallets ? WITH_PASSKEYS : WITHOUT_PASSKEYS).map((at, place) => (
            <WayButton
              key={at}
              icon={ICONS[at]}
              name={t(at)}
              hint={t(`${at}Hint`)}
              onClick={() => setWay(at)}
              first={place === 0}
            />
          ))}
        </ul>
      )}
      <div className="grid gap-2">
        <Button variant="quiet" onClick={onBack}>
          {t('backToPin')}
        </Button>
        <Decline busy={busy} onDecline={onDecline} />
      </div>
    </Step>
  )
}

const ICONS = {
  make: <Fingerprint />,
  connect: <Wallet />,
  paste: <Type />,
  file: <FileKey />,
} satisfies Record<Exclude<Way, 'choose'>, ReactNode>

const WITH_PASSKEYS = ['make', 'connect', 'paste'] as const
/** The ways to an address where passkeys don't work. The one that needs the most care comes last. */
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
  const t = useTranslations('claim.decline')
  const [asking, setAsking] = useState(false)
  if (!asking)
    return (
      <Button variant="quiet" onClick={() => setAsking(true)} disabled={busy}>
        {t('ask')}
      </Button>
    )
  return (
    <Alert
      tone="warning"
      title={t('title')}
      live
      action={
        <>
          <Button variant="danger" busy={busy} onClick={onDecline}>
            {t('yes')}
          </Button>
          <Button onClick={() => setAsking(false)} disabled={busy}>
            {t('no')}
          </Button>
        </>
      }
    >
      {t('lead')}
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
        className={
          'group flex min-h-18 w-full items-center gap-4 rounded-lg border bg-pane px-5 py-3 text-start ' +
          `transition-colors hover:border-ink ${first ? 'border-ink' : 'border-edge'}`
        }
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
          className={
            'size-5 text-muted transition-transform group-hover:translate-x-0.5 rtl:-scale-x-100 ' +
            'rtl:group-hover:-translate-x-0.5'
          }
        />
      </button>
    </li>
  )
}
