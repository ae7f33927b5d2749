'use client'

import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { privateKeyToAccount } from 'viem/accounts'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { ConfirmDialog } from '@/components/ui/dialog'
import { Time } from '@/components/ui/time'
import { failureSentence } from '../shared/api'
import { listCopies, removeCopy } from './copies'
import { proveAddress } from './items'
import type { OpenWallet } from './open-wallet'

/** The passkeys that were added to the wallet. Each can be removed. */
export function AddedPasskeys({ wallet, proof }: { wallet: OpenWallet; proof: string }) {
  const copies = useQuery({
    queryKey: ['copies', wallet.address, proof],
    queryFn: () => listCopies(wallet.address, proof),
  })
  if (!copies.data || copies.data.length === 0) return null
  return (
    <section aria-labelledby="added" className="grid gap-3 border-t pt-5">
      <h3 id="added" className="font-medium">
        Added passkeys
      </h3>
      <ul className="grid gap-3">
        {copies.data.map(({ copy_id: id, created_at: at }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <span>
              Added on <Time at={at} />
              {id === openedWith(wallet) && <span className="text-muted"> (in use now)</span>}
            </span>
            <Remove wallet={wallet} copyId={id} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The copy that the wallet was opened with; null where it was its first passkey, or a file. */
const openedWith = (wallet: OpenWallet): string | null => (wallet.kind === 'passkey' ? wallet.copyId : null)

function Remove({ wallet, copyId }: { wallet: OpenWallet; copyId: string }) {
  const queries = useQueryClient()
  const [isSure, setSure] = useState(false)
  // The first passkey isn't asked whether it still exists: only one that opened the wallet is known to be there.
  const isKnownOther = wallet.kind === 'passkey' && wallet.copyId !== copyId

  async function remove(): Promise<string | void> {
    if (!isKnownOther && !isSure) return 'Tick the box first, once you have tried another way to open the wallet.'
    try {
      const account = privateKeyToAccount(wallet.key)
      const proof = await proveAddress(account.address, (message) => account.signMessage({ message }))
      await removeCopy(wallet.address, copyId, proof)
    } catch (failure) {
      return failureSentence(failure)
    }
    await queries.invalidateQueries({ queryKey: ['copies'] })
  }

  return (
    <ConfirmDialog
      trigger={<Button size="sm">Remove</Button>}
      title="Remove this passkey?"
      description="It opens this wallet no more. Delete it in the settings of its device too, where it stays otherwise."
      confirm="Remove it"
      onConfirm={remove}
    >
      {!isKnownOther && (
        <>
          <Alert tone="warning" title="It may be the last way in">
            Nobody can open this wallet again without another passkey of it or its file, and we can’t tell whether you
            have one.
          </Alert>
          <Checkbox
            label="I have another passkey or the file, and have tried it."
            checked={isSure}
            onChange={({ target }) => setSure(target.checked)}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
