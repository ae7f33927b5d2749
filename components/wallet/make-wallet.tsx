'use client'

import { useState } from 'react'
import type { ReactElement } from 'react'
import { Fingerprint } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { KeystoreForm } from './keystore-form'
import type { OpenWallet } from './open-wallet'
import { Step } from '../shared/step'
import { UnlockFile } from './unlock-file'
import { type OwnWallet, type Purpose, type Stage, useOwnWallet } from './use-own-wallet'

type ReadyLabel = 'use' | 'putIn' | 'openMine'

export type MakeWalletProps = {
  rpId: string
  onReady: (wallet: OpenWallet) => void
  /** The label of the last button. */
  ready?: ReadyLabel
  purpose?: Purpose
  takeFocus?: boolean
  /** Asks for the passkey without another press. */
  startAtOnce?: boolean
}

/**
 * One sheet in which the recipient's own wallet is made or unlocked by a passkey: its heading stays, and what is to be
 * done changes below it. Only a wallet in a file has a sheet of its own.
 */
export function MakeWallet({
  rpId,
  onReady,
  ready = 'use',
  purpose = 'receive',
  takeFocus = true,
  startAtOnce = false,
}: MakeWalletProps) {
  const t = useTranslations('wallet.make')
  const own = useOwnWallet({ rpId, purpose, startAtOnce, onReady })
  const { stage, problem } = own
  const problemAlert = problem && (
    <Alert tone="warning" live>
      {problem}
    </Alert>
  )
  if (stage.at === 'looking') return <Spinner label={t('looking')} />
  if (stage.at === 'file') return <FileWallet own={own} stage={stage} problemAlert={problemAlert} />
  if (stage.at === 'open_file')
    return (
      <Step title={t('openFileTitle')}>
        {problemAlert}
        <UnlockFile onOpen={own.finishInFile} />
        <Button variant="quiet" onClick={() => own.setStage({ at: 'looking' })}>
          {t('back')}
        </Button>
      </Step>
    )
  return (
    <Step
      title={t(purpose === 'open' ? 'titleOpen' : 'titleReceive')}
      lead={<div aria-live="polite">{t(leadOf(stage.at, purpose))}</div>}
      takeFocus={takeFocus}
    >
      {problemAlert}
      <PasskeyPart own={own} stage={stage} purpose={purpose} ready={ready} />
    </Step>
  )
}

type PasskeyStage = Exclude<Stage, { at: 'looking' | 'file' | 'open_file' }>

function leadOf(at: PasskeyStage['at'], purpose: Purpose) {
  switch (at) {
    case 'offer':
      return purpose === 'open' ? 'offerOpen' : 'offerReceive'
    case 'none_here':
      return purpose === 'open' ? 'noneHereOpen' : 'noneHereReceive'
    case 'save_copy':
      return 'saveCopy'
    case 'confirm':
      return 'confirm'
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
  ready: ReadyLabel
}) {
  const t = useTranslations('wallet.make')
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
          <span className="block text-muted">{t('itsAddress')}</span>
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
          {t(label)}
        </Button>
        {stage.at === 'none_here' && (
          <Button size="lg" onClick={() => void own.unlockAny()} disabled={own.busy}>
            {t('haveOne')}
          </Button>
        )}
        {stage.at !== 'confirm' &&
          (purpose === 'open' ? (
            <Button size="lg" onClick={() => own.setStage({ at: 'open_file' })}>
              {t('openFile')}
            </Button>
          ) : (
            <Button variant="quiet" onClick={own.toFile}>
              {t('inFile')}
            </Button>
          ))}
      </div>
    </>
  )
}

function mainActionOf(
  own: OwnWallet,
  stage: Exclude<PasskeyStage, { at: 'save_copy' }>,
  { purpose, ready }: { purpose: Purpose; ready: ReadyLabel },
): { label: 'unlock' | 'continue' | 'new' | ReadyLabel; onClick: () => Promise<void> } {
  switch (stage.at) {
    case 'offer':
      return { label: purpose === 'open' ? 'unlock' : 'continue', onClick: own.begin }
    case 'none_here':
      return { label: 'new', onClick: own.create }
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
  problemAlert: ReactElement | '' | null
}) {
  const t = useTranslations('wallet.make')
  const [saved, setSaved] = useState(false)
  // A browser doesn't tell whether it kept the file, and nothing else has the key once this page is closed.
  if (saved)
    return (
      <Step title={t('savedTitle')} lead={t('savedLead')}>
        <div className="grid gap-2">
          <Button variant="primary" size="lg" onClick={() => own.finishInFile(own.fileWalletOf(stage.key))}>
            {t('isThere')}
          </Button>
          <Button variant="quiet" onClick={() => setSaved(false)}>
            {t('saveAgain')}
          </Button>
        </div>
      </Step>
    )
  return (
    <Step title={t('fileTitle')} lead={t(stage.why === 'needed' ? 'fileNeeded' : 'fileChosen')}>
      {problemAlert}
      <KeystoreForm walletKey={stage.key} onSaved={() => setSaved(true)} action={t('downloadAndGo')} />
      <div className="grid gap-2">
        <Button variant="quiet" onClick={() => own.setStage({ at: 'open_file' })}>
          {t('haveFile')}
        </Button>
        {stage.why === 'chosen' && (
          <Button variant="quiet" onClick={() => own.setStage({ at: 'offer' })}>
            {t('back')}
          </Button>
        )}
      </div>
    </Step>
  )
}
