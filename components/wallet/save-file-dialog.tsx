'use client'

import { useState } from 'react'
import { Download } from 'lucide-react'
import type { Hex } from 'viem'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { KeystoreForm } from './keystore-form'

/** A button that saves the wallet in an encrypted file. */
export function SaveFileDialog({ walletKey, label }: { walletKey: Hex; label: string }) {
  const [saved, setSaved] = useState(false)
  return (
    <Dialog
      trigger={<Button icon={<Download aria-hidden="true" className="size-4" />}>{label}</Button>}
      title="Download the wallet file"
      description="Most wallet apps can import it. It opens with the password you choose now."
      onOpenChange={() => setSaved(false)}
    >
      {saved ? (
        <Alert tone="positive" live>
          The file is in your downloads. Keep it and its password in two different places.
        </Alert>
      ) : (
        <KeystoreForm walletKey={walletKey} onSaved={() => setSaved(true)} />
      )}
    </Dialog>
  )
}
