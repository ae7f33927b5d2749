'use client'

import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { failureSentence } from '../shared/api'
import { type Added, keepCopy, makeAnotherPasskey, openWithPasskey } from './copies'
import type { OpenWallet } from './open-wallet'
import { PasskeyError } from './passkey'

type Props = { wallet: OpenWallet; rpId: string; proof: string | null }

type Stage =
  | { at: 'start' }
  /** It is made, but opens nothing yet. */
  | { at: 'made'; added: Added }
  | { at: 'kept'; added: Added }
  | { at: 'done' }

const refusals: Partial<Record<PasskeyError['refusal'], string>> = {
  exists: 'This device has a passkey of this wallet already. Choose another device, or a security key.',
  no_prf: 'That device’s passkeys can’t open a wallet. Choose another one, or save the file.',
}

/** Adds a passkey to the wallet. It counts only once it has opened the wallet. */
export function AddPasskey({ wallet, rpId, proof }: Props) {
  const [stage, setStage] = useState<Stage>({ at: 'start' })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const queries = useQueryClient()

  async function attempt(work: () => Promise<void>) {
    setBusy(true)
    setProblem(null)
    await work().catch((failure: unknown) =>
      setProblem(
        failure instanceof PasskeyError
          ? (refusals[failure.refusal] ?? 'That was closed before it finished. Nothing has changed.')
          : failureSentence(failure),
      ),
    )
    setBusy(false)
  }

  const make = async () => {
    const added = await makeAnotherPasskey(rpId, wallet.kind === 'passkey' ? [wallet.credentialId] : [])
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
    else setProblem('It opened another wallet. Don’t rely on it: save the file instead.')
  }

  return (
    <Dialog
      trigger={<Button icon={<Fingerprint aria-hidden="true" className="size-4" />}>Add one</Button>}
      title="Add a passkey"
      description="Your browser asks where to keep it. Choose another device or a security key: a second one on this device is lost with it."
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
          <Alert tone="positive" live title="It opens this wallet">
            You can use either passkey from now on.
          </Alert>
        ) : stage.at === 'kept' ? (
          <>
            <Alert live>It is made. Use it once now, to see that it opens this wallet.</Alert>
            <Button variant="primary" size="lg" busy={busy} onClick={() => void attempt(() => check(stage.added))}>
              Check the new passkey
            </Button>
          </>
        ) : proof === null ? (
          <Alert tone="warning">We can’t be reached right now, so no passkey can be added.</Alert>
        ) : (
          <Button
            variant="primary"
            size="lg"
            busy={busy}
            onClick={() => void attempt(() => (stage.at === 'made' ? keep(stage.added) : make()))}
          >
            {stage.at === 'made' ? 'Finish the new passkey' : 'Make the passkey'}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
