'use client'

import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Problem } from '@/packages/client/src/call'
import { type Added, keepCopy, makeAnotherPasskey, openWithPasskey } from './copies'
import type { OpenWallet } from './open-wallet'
import { PasskeyError } from './passkey'
import { useWalletFailureText } from './use-wallet-failure-text'

type Props = { wallet: OpenWallet; rpId: string; proof: string | null }

type Stage =
  | { at: 'start' }
  /** It is made, but opens nothing yet. */
  | { at: 'made'; added: Added }
  | { at: 'kept'; added: Added }
  | { at: 'done' }

/** Why no passkey was added, as a key of `ownWallet.copies.refused`; null for what any call may fail with. */
function refusalOf(failure: unknown) {
  if (failure instanceof PasskeyError)
    return failure.refusal === 'exists' || failure.refusal === 'no_prf' ? failure.refusal : 'closed'
  const reason = failure instanceof Problem ? failure.body.reason : null
  return reason === 'nothing_received' || reason === 'too_many' ? reason : null
}

/** Adds a passkey to the wallet. It counts only once it has opened the wallet. */
export function AddPasskey({ wallet, rpId, proof }: Props) {
  const t = useTranslations('ownWallet.copies')
  const failureText = useWalletFailureText()
  const [stage, setStage] = useState<Stage>({ at: 'start' })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const queries = useQueryClient()

  async function attempt(work: () => Promise<void>) {
    setBusy(true)
    setProblem(null)
    await work().catch((failure: unknown) => {
      const refusal = refusalOf(failure)
      setProblem(refusal === null ? failureText(failure) : t(`refused.${refusal}`))
    })
    setBusy(false)
  }

  const make = async () => {
    const known = wallet.kind === 'passkey' ? [wallet.credentialId] : []
    const added = await makeAnotherPasskey(rpId, t('label'), known)
    setStage({ at: 'made', added })
    await keep(added)
  }

  const keep = async (added: Added) => {
    await keepCopy(wallet, added, proof!)
    setStage({ at: 'kept', added })
    void queries.invalidateQueries({ queryKey: ['copies'] })
  }

  const check = async ({ credentialId }: Added) => {
    const { address } = await openWithPasskey(rpId, { credentialId })
    if (address === wallet.address) setStage({ at: 'done' })
    else setProblem(t('opensOther'))
  }

  return (
    <Dialog
      trigger={<Button icon={<Fingerprint aria-hidden="true" className="size-4" />}>{t('add')}</Button>}
      title={t('addTitle')}
      description={t('addLead')}
      onOpenChange={() => {
        setStage({ at: 'start' })
        setProblem(null)
      }}
    >
      <div className="grid gap-4">
        {problem && (
          <Alert tone="warning" live>
            {problem}
          </Alert>
        )}
        {stage.at === 'done' ? (
          <Alert tone="positive" live title={t('opensThis')}>
            {t('either')}
          </Alert>
        ) : stage.at === 'kept' ? (
          <>
            <Alert live>{t('made')}</Alert>
            <Button variant="primary" size="lg" busy={busy} onClick={() => void attempt(() => check(stage.added))}>
              {t('check')}
            </Button>
          </>
        ) : proof === null ? (
          <Alert tone="warning">{t('unreachable')}</Alert>
        ) : (
          <Button
            variant="primary"
            size="lg"
            busy={busy}
            onClick={() => void attempt(() => (stage.at === 'made' ? keep(stage.added) : make()))}
          >
            {t(stage.at === 'made' ? 'finish' : 'make')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
