'use client'

import { useState } from 'react'
import { Eye } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import type { OpenWallet } from './open-wallet'
import { SaveFileDialog } from './save-file-dialog'

/** Exports the wallet: as an encrypted file, or as the key itself. */
export function ExportKey({ wallet }: { wallet: OpenWallet }) {
  return (
    <Card
      title="Take it with you"
      description="Your wallet isn’t tied to us. Any wallet app can open it with its file or its key."
    >
      <div className="flex flex-wrap gap-3">
        <SaveFileDialog walletKey={wallet.key} label="Wallet file" />
        <RevealKey walletKey={wallet.key} />
      </div>
    </Card>
  )
}

function RevealKey({ walletKey }: { walletKey: string }) {
  const [understood, setUnderstood] = useState(false)
  const [shown, setShown] = useState(false)

  function onOpenChange() {
    setUnderstood(false)
    setShown(false)
  }

  return (
    <Dialog
      trigger={<Button icon={<Eye aria-hidden="true" className="size-4" />}>Private key</Button>}
      title="Your private key"
      description="Whoever sees it can take everything in this wallet, and nobody can bring it back. We never ask for it."
      onOpenChange={onOpenChange}
    >
      {shown ? (
        <div className="grid gap-3">
          <p className="figures rounded-md bg-well p-4 break-all">{walletKey}</p>
          <CopyButton text={walletKey} label="Copy the key" showLabel className="justify-self-start" />
        </div>
      ) : (
        <div className="grid gap-5">
          <Checkbox
            label="Nobody else can see my screen, and nobody asked me for this key."
            checked={understood}
            onChange={(event) => setUnderstood(event.target.checked)}
          />
          <Button variant="danger" disabled={!understood} onClick={() => setShown(true)}>
            Show the key
          </Button>
        </div>
      )}
    </Dialog>
  )
}
