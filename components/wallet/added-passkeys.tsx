'use client'

import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { privateKeyToAccount } from 'viem/accounts'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { ConfirmDialog } from '@/components/ui/dialog'
import { Sentence } from '@/components/ui/sentence'
import { Time } from '@/components/ui/time'
import { listCopies, removeCopy } from './copies'
import { proveAddress } from './items'
import type { OpenWallet } from './open-wallet'
import { useWalletFailureText } from './use-wallet-failure-text'

/** The passkeys that were added to the wallet. Each can be removed. */
export function AddedPasskeys({ wallet, proof }: { wallet: OpenWallet; proof: string }) {
  const t = useTranslations('ownWallet.copies')
  const copies = useQuery({
    queryKey: ['copies', wallet.address, proof],
    queryFn: () => listCopies(wallet.address, proof),
  })
  if (!copies.data || copies.data.length === 0) return null
  return (
    <section aria-labelledby="added" className="grid gap-3 border-t pt-5">
      <h3 id="added" className="font-medium">
        {t('title')}
      </h3>
      <ul className="grid gap-3">
        {copies.data.map(({ copy_id: id, created_at: at }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <span>
              <Sentence>{t.rich('added', { moment: () => <Time at={at} /> })}</Sentence>
              {id === openedWith(wallet) && <span className="text-muted">{` ${t('inUse')}`}</span>}
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
  const t = useTranslations('ownWallet.copies')
  const failureText = useWalletFailureText()
  const queries = useQueryClient()
  const [isSure, setSure] = useState(false)
  // The first passkey isn't asked whether it still exists: only one that opened the wallet is known to be there.
  const isKnownOther = wallet.kind === 'passkey' && wallet.copyId !== copyId

  async function remove(): Promise<string | void> {
    if (!isKnownOther && !isSure) return t('tickFirst')
    try {
      const account = privateKeyToAccount(wallet.key)
      const proof = await proveAddress(account.address, (message) => account.signMessage({ message }))
      await removeCopy(wallet.address, copyId, proof)
    } catch (failure) {
      return failureText(failure)
    }
    await queries.invalidateQueries({ queryKey: ['copies'] })
  }

  return (
    <ConfirmDialog
      trigger={<Button size="sm">{t('remove')}</Button>}
      title={t('removeTitle')}
      description={t('removeLead')}
      confirm={t('removeYes')}
      onConfirm={remove}
    >
      {!isKnownOther && (
        <>
          <Alert tone="warning" title={t('last')}>
            {t('lastLead')}
          </Alert>
          <Checkbox label={t('haveOther')} checked={isSure} onChange={({ target }) => setSure(target.checked)} />
        </>
      )}
    </ConfirmDialog>
  )
}
