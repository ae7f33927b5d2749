'use client'

import { Fingerprint } from 'lucide-react'
import type { ReactNode } from 'react'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { KeystoreForm } from './keystore-form'
import type { OpenWallet } from './open-wallet'
import { Step } from '../shared/step'
import { UnlockFile } from './unlock-file'
import { type OwnWallet, type Purpose, type Stage, useOwnWallet } from './use-own-wallet'

export type MakeWalletProps = {
  rpId: string
  onReady: (wallet: OpenWallet) => void
  /** The label of the last button. */
  ready?: string
  purpose?: Purpose
  takeFocus?: boolean
  /** Asks for the passkey without another press. */
  startAtOnce?: boolean
}

const TITLES = { receive: 'Your own wallet', open: 'Open your wallet' } satisfies Record<Purpose, string>
const OFFERS = {
  receive:
    'Your fingerprint, face or screen lock becomes the key to a wallet only you can open. No app, and nothing to write down.',
  open: 'Use the fingerprint, face or screen lock you made it with. The key never leaves this page.',
} satisfies Record<Purpose, string>

/**
 * One sheet in which the recipient's own wallet is made or unlocked by a passkey: its heading stays, and what is to be done changes below
 * it. Only a wallet in a file has a sheet of its own.
 */
export function MakeWallet({
  rpId,
  onReady,
  ready = 'Use this wallet',
  purpose = 'receive',
  takeFocus = true,
  startAtOnce = false,
}: MakeWalletProps) {
  const own = useOwnWallet({ rpId, purpose, startAtOnce, onReady })
  const { stage, problem } = own
  const problemAlert = problem && (
    <Alert tone="warning" live>
      {problem}
    </Alert>
  )
  if (stage.at === 'looking') return <Spinner label="Looking at what this browser can do" />
  if (stage.at === 'file') return <FileWallet own={own} stage={stage} problemAlert={problemAlert} />
  if (stage.at === 'open_file')
    return (
      <Step title="Open your wallet file">
        {problemAlert}
        <UnlockFile onOpen={own.finishInFile} />
        <Button variant="quiet" onClick={() => own.setStage({ at: 'looking' })}>
          Back
        </Button>
      </Step>
    )
  return (
    <Step
      title={TITLES[purpose]}
      lead={<div aria-live="polite">{leadOf(stage.at, purpose)}</div>}
      takeFocus={takeFocus}
    >
      {problemAlert}
      <PasskeyPart own={own} stage={stage} purpose={purpose} ready={ready} />
    </Step>
  )
}

type PasskeyStage = Exclude<Stage, { at: 'looking' | 'file' | 'open_file' }>

function leadOf(at: PasskeyStage['at'], purpose: Purpose): string {
  switch (at) {
    case 'offer':
      return OFFERS[purpose]
    case 'none_here':
      return purpose === 'open'
        ? 'No wallet was opened on this device. Try again with the passkey you made it with.'
        : 'No wallet was opened on this device. If you have made one before, unlock that one: a second wallet is a second place for your things.'
    case 'save_copy':
      return 'This passkey stays on this device alone. If the device is lost, so is the wallet. Keep a copy in a file first: with it you can always open the wallet again.'
    case 'confirm':
      return 'Your wallet is ready. Confirm once more that it’s you: we check that your device opens the very same wallet.'
  }
}

function PasskeyPart({
  own,
  stage,
  purpose,
  ready,
}: {
  own: OwnWallet
  stage: PasskeyStage
  purpose: Purpose
  ready: string
}) {
  if (stage.at === 'save_copy')
    return (
      <KeystoreForm
        walletKey={stage.wallet.key}
        onSaved={() => own.setStage({ at: 'confirm', wallet: stage.wallet })}
      />
    )
  const { label, onClick } = mainActionOf(own, stage, { purpose, ready })
  return (
    <>
      {stage.at === 'confirm' && (
        <p className="rounded-md bg-well px-4 py-3 text-sm">
          <span className="block text-muted">Its address</span>
          <Address value={stage.wallet.address} whole copy={false} />
        </p>
      )}
      <div className="grid gap-2">
        {/* It stays in its place from stage to stage, so it keeps the focus. */}
        <Button
          variant="primary"
          size="lg"
          busy={own.busy}
          onClick={() => void onClick()}
          icon={<Fingerprint aria-hidden="true" className="size-5" />}
        >
          {label}
        </Button>
        {stage.at === 'none_here' && (
          <Button size="lg" onClick={() => void own.unlockAny()} disabled={own.busy}>
            I have one, unlock it
          </Button>
        )}
        {stage.at !== 'confirm' &&
          (purpose === 'open' ? (
            <Button size="lg" onClick={() => own.setStage({ at: 'open_file' })}>
              Open a wallet file
            </Button>
          ) : (
            <Button variant="quiet" onClick={own.toFile}>
              Keep it in a file instead
            </Button>
          ))}
      </div>
    </>
  )
}

function mainActionOf(
  own: OwnWallet,
  stage: Exclude<PasskeyStage, { at: 'save_copy' }>,
  { purpose, ready }: { purpose: Purpose; ready: string },
): { label: string; onClick: () => Promise<void> } {
  switch (stage.at) {
    case 'offer':
      return { label: purpose === 'open' ? 'Unlock' : 'Continue', onClick: own.begin }
    case 'none_here':
      return { label: 'Make a new wallet', onClick: own.create }
    case 'confirm':
      return { label: ready, onClick: () => own.confirm(stage.wallet) }
  }
}

function FileWallet({
  own,
  stage,
  problemAlert,
}: {
  own: OwnWallet
  stage: Extract<Stage, { at: 'file' }>
  problemAlert: ReactNode
}) {
  return (
    <Step
      title="A wallet in a file"
      lead={
        stage.why === 'needed'
          ? 'This device can’t keep a wallet by itself. Yours goes into a file that your password protects: keep both safe.'
          : 'Your wallet goes into a file that your password protects: keep both safe.'
      }
    >
      {problemAlert}
      <KeystoreForm
        walletKey={stage.key}
        onSaved={() => own.finishInFile(own.fileWalletOf(stage.key))}
        action="Download the file and continue"
      />
      <div className="grid gap-2">
        <Button variant="quiet" onClick={() => own.setStage({ at: 'open_file' })}>
          I have a wallet file already
        </Button>
        {stage.why === 'chosen' && (
          <Button variant="quiet" onClick={() => own.setStage({ at: 'offer' })}>
            Back
          </Button>
        )}
      </div>
    </Step>
  )
}
