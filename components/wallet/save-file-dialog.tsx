'use client'

import { useState } from 'react'
import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Hex } from 'viem'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { KeystoreForm } from './keystore-form'

/** A button that saves the wallet in an encrypted file. */
export function SaveFileDialog({ walletKey, label }: { walletKey: Hex; label: string }) {
  const t = useTranslations('ownWallet.exportKey')
  const tFile = useTranslations('wallet.file')
  const [saved, setSaved] = useState(false)
  return (
    <Dialog
      trigger={<Button icon={<Download aria-hidden="true" className="size-4" />}>{label}</Button>}
      title={tFile('download')}
      description={t('fileLead')}
      onOpenChange={() => setSaved(false)}
    >
      {saved ? (
        <Alert tone="positive" live>
          {t('saved')}
        </Alert>
      ) : (
        <KeystoreForm walletKey={walletKey} onSaved={() => setSaved(true)} />
      )}
    </Dialog>
  )
}
