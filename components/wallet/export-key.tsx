'use client'

import { useState } from 'react'
import { Eye } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import type { OpenWallet } from './open-wallet'
import { SaveFileDialog } from './save-file-dialog'

/** Exports the wallet: as an encrypted file, or as the key itself. */
export function ExportKey({ wallet }: { wallet: OpenWallet }) {
  const t = useTranslations('ownWallet.exportKey')
  const tFile = useTranslations('wallet.file')
  return (
    <Card title={t('title')} description={t('lead')}>
      <div className="flex flex-wrap gap-3">
        <SaveFileDialog walletKey={wallet.key} label={tFile('file')} />
        <RevealKey walletKey={wallet.key} />
      </div>
    </Card>
  )
}

function RevealKey({ walletKey }: { walletKey: string }) {
  const t = useTranslations('ownWallet.exportKey')
  const [understood, setUnderstood] = useState(false)
  const [shown, setShown] = useState(false)

  function onOpenChange() {
    setUnderstood(false)
    setShown(false)
  }

  return (
    <Dialog
      trigger={<Button icon={<Eye aria-hidden="true" className="size-4" />}>{t('key')}</Button>}
      title={t('keyTitle')}
      description={t('keyLead')}
      onOpenChange={onOpenChange}
    >
      {shown ? (
        <div className="grid gap-3">
          <p dir="ltr" className="figures rounded-md bg-well p-4 break-all">
            {walletKey}
          </p>
          <CopyButton text={walletKey} label={t('copyKey')} showLabel className="justify-self-start" />
        </div>
      ) : (
        <div className="grid gap-5">
          <Checkbox label={t('alone')} checked={understood} onChange={(event) => setUnderstood(event.target.checked)} />
          <Button variant="danger" disabled={!understood} onClick={() => setShown(true)}>
            {t('show')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
