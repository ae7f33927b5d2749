'use client'

import { useEffect, useState } from 'react'
import { Fingerprint } from 'lucide-react'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { randomKey } from './derive'
import { KeystoreForm } from './keystore-form'
import type { OpenWallet } from './open-wallet'
import { PasskeyError, confirmPasskey, createPasskey, passkeysCanWork, unlockPasskey } from './passkey'
import type { PasskeyRefusal, PasskeyWallet } from './passkey'
import { rememberWallet, rememberedWallet } from './remembered-wallet'
import { Step } from '../shared/step'
import { UnlockFile } from './unlock-file'

type Stage =
  | { at: 'looking' }
  | { at: 'offer' }
  | { at: 'none_here' }
  | { at: 'save_copy'; wallet: PasskeyWallet }
  | { at: 'confirm'; wallet: PasskeyWallet }
  | { at: 'file'; key: Hex; why: 'chosen' | 'needed' }
  | { at: 'open_file' }

const fallback = (purpose: 'receive' | 'open'): Stage =>
  purpose === 'open' ? { at: 'open_file' } : { at: 'file', key: randomKey(), why: 'needed' }

const refusals = {
  declined: 'That was closed before it finished. Nothing has been made.',
  exists: 'There is a wallet on this device already. Unlock that one.',
  no_prf: 'This browser can’t keep a wallet by itself.',
  unavailable: 'Passkeys are not available on this page.',
} satisfies Record<PasskeyRefusal, string>

export type MakeWalletProps = {
  rpId: string
  onReady: (wallet: OpenWallet) => void
  /** The label of the last button. */
  ready?: string
  /** `open` expects an existing wallet; `receive` makes one where there is none. */
  purpose?: 'receive' | 'open'
  takeFocus?: boolean
}

const offers = {
  receive: {
    title: 'Your own wallet',
    lead: 'Your fingerprint, face or screen lock becomes the key to a wallet only you can open. No app, and nothing to write down.',
    button: 'Continue',
  },
  open: {
    title: 'Open your wallet',
    lead: 'Use the fingerprint, face or screen lock you made it with. The key never leaves this page.',
    button: 'Unlock',
  },
}

/**
 * Makes or unlocks the recipient's own wallet, and passes it on only when it is safe to send something to: a passkey that
 * isn't backed up is first exported to a file, and every passkey has to derive the same key twice.
 */
export function MakeWallet({
  rpId,
  onReady,
  ready = 'Use this wallet',
  purpose = 'receive',
  takeFocus = true,
}: MakeWalletProps) {
  const [stage, setStage] = useState<Stage>({ at: 'looking' })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const looking = stage.at === 'looking'
  useEffect(() => {
    if (!looking) return
    let unmounted = false
    void passkeysCanWork().then((can) => {
      if (!unmounted) setStage(can ? { at: 'offer' } : fallback(purpose))
    })
    return () => {
      unmounted = true
    }
  }, [looking, purpose])

  async function attempt(work: () => Promise<void>) {
    setBusy(true)
    setProblem(null)
    await work().catch((failure: unknown) => refuse(failure instanceof PasskeyError ? failure.refusal : 'unavailable'))
    setBusy(false)
  }

  function refuse(refusal: PasskeyRefusal) {
    if (refusal === 'no_prf' || refusal === 'unavailable') setStage(fallback(purpose))
    else setProblem(refusals[refusal])
  }

  /** A wallet with the same address as before was derived twice already; any other is confirmed first. */
  function onUnlocked(wallet: PasskeyWallet) {
    const known = rememberedWallet()
    const sameAsBefore =
      known?.kind === 'passkey' && known.credentialId === wallet.credentialId && known.address === wallet.address
    if (!wallet.backedUp && !(sameAsBefore && known.fileSaved)) return setStage({ at: 'save_copy', wallet })
    if (sameAsBefore) return finish(wallet)
    setStage({ at: 'confirm', wallet })
  }

  function finish(wallet: PasskeyWallet) {
    rememberWallet({
      kind: 'passkey',
      address: wallet.address,
      credentialId: wallet.credentialId,
      fileSaved: !wallet.backedUp,
    })
    onReady({ kind: 'passkey', ...wallet })
  }

  const unlock = (how: { credentialId?: string; quietly?: boolean }) =>
    attempt(async () => {
      try {
        onUnlocked(await unlockPasskey(rpId, how))
      } catch (failure) {
        if (!(failure instanceof PasskeyError) || failure.refusal !== 'declined') throw failure
        setStage({ at: 'none_here' })
      }
    })

  /** First tries the passkey that was used here before, else any, without an empty dialog. */
  function first(): { credentialId?: string; quietly?: boolean } {
    const known = rememberedWallet()
    return known?.kind === 'passkey' ? { credentialId: known.credentialId } : { quietly: purpose === 'receive' }
  }

  const create = () =>
    attempt(async () => {
      const known = rememberedWallet()
      onUnlocked(await createPasskey(rpId, 'Vitrine wallet', known?.kind === 'passkey' ? [known.credentialId] : []))
    })

  const confirm = (wallet: PasskeyWallet) =>
    attempt(async () => {
      if (await confirmPasskey(rpId, wallet)) return finish(wallet)
      setProblem('Your device answered differently the second time, so nothing can safely be sent there.')
      setStage({ at: 'file', key: randomKey(), why: 'needed' })
    })

  const problemAlert = problem && (
    <Alert tone="warning" live>
      {problem}
    </Alert>
  )
  const toFile =
    purpose === 'open' ? (
      <Button size="lg" onClick={() => setStage({ at: 'open_file' })}>
        Open a wallet file
      </Button>
    ) : (
      <Button variant="quiet" onClick={() => setStage({ at: 'file', key: randomKey(), why: 'chosen' })}>
        Keep it in a file instead
      </Button>
    )

  switch (stage.at) {
    case 'looking':
      return <Spinner label="Looking at what this browser can do" />
    case 'offer':
      return (
        <Step title={offers[purpose].title} lead={offers[purpose].lead} takeFocus={takeFocus}>
          {problemAlert}
          <div className="grid gap-2">
            <Button
              variant="primary"
              size="lg"
              busy={busy}
              onClick={() => unlock(first())}
              icon={<Fingerprint aria-hidden="true" className="size-5" />}
            >
              {offers[purpose].button}
            </Button>
            {toFile}
          </div>
        </Step>
      )
    case 'none_here':
      return (
        <Step
          title="Make a new wallet?"
          lead="No wallet was opened on this device. If you have made one here before, unlock that one: a second wallet is a second place for your things."
        >
          {problemAlert}
          <div className="grid gap-2">
            <Button
              variant="primary"
              size="lg"
              busy={busy}
              onClick={create}
              icon={<Fingerprint aria-hidden="true" className="size-5" />}
            >
              Make a new wallet
            </Button>
            <Button size="lg" onClick={() => unlock({})} disabled={busy}>
              I have one, unlock it
            </Button>
            {toFile}
          </div>
        </Step>
      )
    case 'save_copy':
      return (
        <Step
          title="Keep a copy first"
          lead="This passkey stays on this device alone. If the device is lost, so is the wallet. With a copy in a file you can always open it again."
        >
          {problemAlert}
          <KeystoreForm
            walletKey={stage.wallet.key}
            onSaved={() => setStage({ at: 'confirm', wallet: stage.wallet })}
          />
        </Step>
      )
    case 'confirm':
      return (
        <Step
          title="Your wallet is ready"
          lead="Confirm once more that it’s you. We check that your device opens the very same wallet."
        >
          <p className="rounded-md bg-well px-4 py-3 text-sm">
            <span className="block text-muted">Its address</span>
            <Address value={stage.wallet.address} whole copy={false} />
          </p>
          {problemAlert}
          <Button
            variant="primary"
            size="lg"
            busy={busy}
            onClick={() => confirm(stage.wallet)}
            icon={<Fingerprint aria-hidden="true" className="size-5" />}
          >
            {ready}
          </Button>
        </Step>
      )
    case 'file':
      return (
        <Step
          title="A wallet in a file"
          lead={
            stage.why === 'needed'
              ? 'This browser can’t keep a wallet by itself. Yours goes into a file that your password protects: keep both safe.'
              : 'Your wallet goes into a file that your password protects: keep both safe.'
          }
        >
          {problemAlert}
          <KeystoreForm
            walletKey={stage.key}
            onSaved={() => {
              const wallet = { kind: 'file' as const, key: stage.key, address: privateKeyToAddress(stage.key) }
              rememberWallet({ kind: 'file', address: wallet.address })
              onReady(wallet)
            }}
            action={`Download the file and continue`}
          />
          <div className="grid gap-2">
            <Button variant="quiet" onClick={() => setStage({ at: 'open_file' })}>
              I have a wallet file already
            </Button>
            {stage.why === 'chosen' && (
              <Button variant="quiet" onClick={() => setStage({ at: 'offer' })}>
                Back
              </Button>
            )}
          </div>
        </Step>
      )
    case 'open_file':
      return (
        <Step title="Open your wallet file">
          {problemAlert}
          <UnlockFile
            onOpen={(wallet) => {
              rememberWallet({ kind: 'file', address: wallet.address })
              onReady(wallet)
            }}
          />
          <Button variant="quiet" onClick={() => setStage({ at: 'looking' })}>
            Back
          </Button>
        </Step>
      )
  }
}
