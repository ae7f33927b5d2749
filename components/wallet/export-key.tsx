'use client'

import { useState } from 'react'
import { Download, Eye } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { KeystoreForm } from './keystore-form'
import type { OpenWallet } from './open-wallet'

/** Exports the wallet: as an encrypted file, or as the key itself. */
export function ExportKey({ wallet }: { wallet: OpenWallet }) {
  const [saved, setSaved] = useState(false)
  return (
    <Card
      title="Take it with you"
      description="Your wallet isn’t tied to us. Any wallet app can open it with its file or its key."
    >
      <div className="flex flex-wrap gap-3">
        <Dialog
          trigger={<Button icon={<Download aria-hidden="true" className="size-4" />}>Wallet file</Button>}
          title="Download the wallet file"
          description="Most wallet apps can import it. It opens with the password you choose now."
          onOpenChange={() => setSaved(false)}
        >
          {saved ? (
            <Alert tone="positive" live>
              The file is in your downloads. Keep it and its password in two different places.
            </Alert>
          ) : (
            <KeystoreForm walletKey={wallet.key} onSaved={() => setSaved(true)} />
          )}
        </Dialog>
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
