'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'next-intl'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { openWithPasskey } from './copies'
import { randomKey } from './derive'
import type { OpenWallet } from './open-wallet'
import { PasskeyError, confirmPasskey, createPasskey, looksQuietly, passkeysCanWork } from './passkey'
import type { PasskeyRefusal, PasskeyWallet } from './passkey'
import { rememberWallet, rememberedWallet } from './remembered-wallet'

/** `receive` makes a wallet where there is none; `open` expects one. */
export type Purpose = 'receive' | 'open'

export type Stage =
  | { at: 'looking' }
  | { at: 'offer' }
  | { at: 'none_here' }
  | { at: 'save_copy'; wallet: PasskeyWallet }
  | { at: 'confirm'; wallet: PasskeyWallet }
  | { at: 'file'; key: Hex; why: 'chosen' | 'needed' }
  | { at: 'open_file' }

type Options = {
  rpId: string
  purpose: Purpose
  /** The press that led here asked for the wallet already, so no other one is needed. */
  startAtOnce: boolean
  onReady: (wallet: OpenWallet) => void
}

/**
 * Makes or unlocks the recipient's own wallet, and passes it on only when it is safe to send something to: a passkey
 * that isn't backed up is first exported to a file, and every passkey has to derive the same key twice.
 */
export function useOwnWallet({ rpId, purpose, startAtOnce, onReady }: Options) {
  const t = useTranslations('wallet.refused')
  const [stage, setStage] = useState<Stage>({ at: 'looking' })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const starts = useRef(startAtOnce)

  const looking = stage.at === 'looking'
  useEffect(() => {
    if (!looking) return
    let unmounted = false
    void passkeysCanWork().then((can) => {
      if (unmounted) return
      if (!can) return toFallback()
      setStage({ at: 'offer' })
      if (starts.current) void begin()
      starts.current = false
    })
    return () => {
      unmounted = true
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, and again after a file
  }, [looking])

  function toFallback() {
    setStage(purpose === 'open' ? { at: 'open_file' } : { at: 'file', key: randomKey(), why: 'needed' })
  }

  async function attempt(work: () => Promise<void>) {
    setBusy(true)
    setProblem(null)
    await work().catch((failure: unknown) => refuse(failure instanceof PasskeyError ? failure.refusal : 'unavailable'))
    setBusy(false)
  }

  function refuse(refusal: PasskeyRefusal) {
    if (refusal === 'no_prf' || refusal === 'unavailable') toFallback()
    else setProblem(t(refusal))
  }

  /** A wallet with the same address as before was derived twice already; any other is confirmed first. */
  function onUnlocked(wallet: PasskeyWallet) {
    const known = rememberedWallet()
    const sameAsBefore =
      known?.kind === 'passkey' && known.credentialId === wallet.credentialId && known.address === wallet.address
    // A passkey that was added is a second way already.
    if (!wallet.backedUp && !wallet.isAdded && !(sameAsBefore && known.fileSaved))
      return setStage({ at: 'save_copy', wallet })
    if (sameAsBefore) return finish(wallet)
    setStage({ at: 'confirm', wallet })
  }

  function finish(wallet: PasskeyWallet) {
    rememberWallet({
      kind: 'passkey',
      address: wallet.address,
      credentialId: wallet.credentialId,
      fileSaved: !wallet.backedUp && !wallet.isAdded,
    })
    onReady({ kind: 'passkey', ...wallet, copyId: wallet.isAdded === true ? wallet.copy.id : null })
  }

  const knownPasskey = (): string | null => {
    const known = rememberedWallet()
    return known?.kind === 'passkey' ? known.credentialId : null
  }

  const createNow = async () => {
    const known = knownPasskey()
    onUnlocked(await createPasskey(rpId, 'Vitrine wallet', known ? [known] : []))
  }

  const unlock = (how: { credentialId?: string; quietly?: boolean }) =>
    attempt(async () => {
      try {
        onUnlocked(await openWithPasskey(rpId, how))
      } catch (failure) {
        if (!(failure instanceof PasskeyError) || failure.refusal !== 'declined') throw failure
        if (!how.quietly || !(await looksQuietly())) return setStage({ at: 'none_here' })
        // No dialog was shown, since this device has no passkey: the same press makes one.
        await createNow().catch((refused: unknown) => {
          setStage({ at: 'none_here' })
          throw refused
        })
      }
    })

  /** First tries the passkey that was used here before, else any: nobody gets a second wallet without knowing. */
  function begin() {
    const credentialId = knownPasskey()
    return unlock(credentialId ? { credentialId } : { quietly: purpose === 'receive' })
  }

  const confirm = (wallet: PasskeyWallet) =>
    attempt(async () => {
      if (await confirmPasskey(rpId, wallet)) return finish(wallet)
      setProblem(t('different'))
      setStage({ at: 'file', key: randomKey(), why: 'needed' })
    })

  function finishInFile(wallet: OpenWallet) {
    rememberWallet({ kind: 'file', address: wallet.address })
    onReady(wallet)
  }

  return {
    stage,
    busy,
    problem,
    setStage,
    begin,
    create: () => attempt(createNow),
    unlockAny: () => unlock({}),
    confirm,
    finishInFile,
    toFile: () => setStage({ at: 'file', key: randomKey(), why: 'chosen' }),
    fileWalletOf: (key: Hex) => ({ kind: 'file' as const, key, address: privateKeyToAddress(key) }),
  }
}

export type OwnWallet = ReturnType<typeof useOwnWallet>
