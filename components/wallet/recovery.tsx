'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import { Fingerprint, KeyRound } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Address as ChainAddress } from 'viem'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog } from '@/components/ui/dialog'
import { Sentence } from '@/components/ui/sentence'
import { AddPasskey } from './add-passkey'
import { AddedPasskeys } from './added-passkeys'
import { openWithPasskey } from './copies'
import type { OpenWallet } from './open-wallet'
import { PasskeyError, type PasskeyRefusal } from './passkey'
import { SaveFileDialog } from './save-file-dialog'
import { UnlockFile } from './unlock-file'

type Props = {
  wallet: OpenWallet
  rpId: string
  /** That the wallet is the visitor's; null while it can't be shown. */
  proof: string | null
}

/** The ways to get the wallet back when this device is gone, and to try them before. */
export function Recovery({ wallet, rpId, proof }: Props) {
  const t = useTranslations('ownWallet.recovery')
  return (
    <Card title={t('title')} description={t(situationOf(wallet))}>
      <div className="grid gap-6">
        <ul className="grid gap-5">
          <Way name={t('file')} hint={t('fileHint')}>
            <SaveFileDialog walletKey={wallet.key} label={t('saveFile')} />
          </Way>
          <Way name={t(wallet.kind === 'passkey' ? 'secondPasskey' : 'passkey')} hint={t('passkeyHint')}>
            <AddPasskey wallet={wallet} rpId={rpId} proof={proof} />
          </Way>
        </ul>
        {proof !== null && <AddedPasskeys wallet={wallet} proof={proof} />}
        <div className="grid justify-items-start gap-3 border-t pt-5">
          <p className="text-sm text-muted">{t('tryLead')}</p>
          <TryIt address={wallet.address} rpId={rpId} />
        </div>
      </div>
    </Card>
  )
}

function situationOf(wallet: OpenWallet) {
  if (wallet.kind === 'file') return 'inFile'
  return wallet.backedUp ? 'backedUp' : 'onlyHere'
}

function Way({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 grow basis-72">
        <h3 className="font-medium">{name}</h3>
        <p className="text-sm text-muted">{hint}</p>
      </div>
      <div className="contents">{children}</div>
    </li>
  )
}

type Tried =
  | { at: 'choose' | 'file' }
  | { at: 'opened'; address: ChainAddress }
  | { at: 'failed'; why: Exclude<PasskeyRefusal, 'exists'> | 'damaged' }

function whyNot(failure: unknown) {
  if (!(failure instanceof PasskeyError)) return 'damaged'
  // Only where one is made.
  return failure.refusal === 'exists' ? 'declined' : failure.refusal
}

/** Opens a file or a passkey, and says whether it is this wallet. */
function TryIt({ address, rpId }: { address: ChainAddress; rpId: string }) {
  const t = useTranslations('ownWallet.recovery')
  const [tried, setTried] = useState<Tried>({ at: 'choose' })
  const [busy, setBusy] = useState(false)

  async function tryPasskey() {
    setBusy(true)
    try {
      setTried({ at: 'opened', address: (await openWithPasskey(rpId, {})).address })
    } catch (failure) {
      setTried({ at: 'failed', why: whyNot(failure) })
    }
    setBusy(false)
  }

  return (
    <Dialog
      trigger={<Button>{t('try')}</Button>}
      title={t('tryTitle')}
      description={t('tryHow')}
      onOpenChange={() => setTried({ at: 'choose' })}
    >
      <div className="grid gap-4">
        {tried.at === 'opened' && <Verdict opened={tried.address} expected={address} />}
        {tried.at === 'failed' && (
          <Alert tone="warning" live>
            {t(`refused.${tried.why}`)}
          </Alert>
        )}
        {tried.at === 'file' ? (
          <UnlockFile onOpen={(opened) => setTried({ at: 'opened', address: opened.address })} />
        ) : (
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => setTried({ at: 'file' })} icon={<KeyRound aria-hidden="true" className="size-4" />}>
              {t('tryFile')}
            </Button>
            <Button
              busy={busy}
              onClick={() => void tryPasskey()}
              icon={<Fingerprint aria-hidden="true" className="size-4" />}
            >
              {t('tryPasskey')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

function Verdict({ opened, expected }: { opened: ChainAddress; expected: ChainAddress }) {
  const t = useTranslations('ownWallet.recovery')
  if (opened === expected)
    return (
      <Alert tone="positive" live title={t('opensThis')}>
        {t('same')}
      </Alert>
    )
  return (
    <Alert tone="warning" live title={t('opensOther')}>
      <Sentence>{t.rich('other', { address: () => <Address value={opened} copy={false} /> })}</Sentence>
    </Alert>
  )
}
