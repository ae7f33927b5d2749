'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import { Fingerprint, KeyRound } from 'lucide-react'
import type { Address as ChainAddress } from 'viem'
import { Address } from '@/components/ui/address'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog } from '@/components/ui/dialog'
import { AddPasskey } from './add-passkey'
import { AddedPasskeys } from './added-passkeys'
import { openWithPasskey } from './copies'
import type { OpenWallet } from './open-wallet'
import { PasskeyError } from './passkey'
import { SaveFileDialog } from './save-file-dialog'
import { UnlockFile } from './unlock-file'

type Props = {
  wallet: OpenWallet
  rpId: string
  /** That the wallet is the visitor's; null while it can't be shown. */
  proof: string | null
}

/** What brings the wallet back when this device is gone, and a way to try it before. */
export function Recovery({ wallet, rpId, proof }: Props) {
  return (
    <Card title="If you lose this device" description={situationOf(wallet)}>
      <div className="grid gap-6">
        <ul className="grid gap-5">
          <Way
            name="A file with a password"
            hint="It opens the wallet on any device, here and in most wallet apps. Whoever has both the file and the password has the wallet."
          >
            <SaveFileDialog walletKey={wallet.key} label="Save the file" />
          </Way>
          <Way
            name={wallet.kind === 'passkey' ? 'A second passkey' : 'A passkey'}
            hint="On another device, or on a security key. It opens this same wallet. The key is kept here sealed, and only that passkey opens the seal."
          >
            <AddPasskey wallet={wallet} rpId={rpId} proof={proof} />
          </Way>
        </ul>
        {proof !== null && <AddedPasskeys wallet={wallet} proof={proof} />}
        <div className="grid justify-items-start gap-3 border-t pt-5">
          <p className="text-sm text-muted">
            Try what you have kept, before you need it. Nothing is replaced, whatever you open.
          </p>
          <TryIt address={wallet.address} rpId={rpId} />
        </div>
      </div>
    </Card>
  )
}

function situationOf(wallet: OpenWallet): string {
  if (wallet.kind === 'file') return 'This wallet is in a file. Without the file and its password nobody can open it.'
  return wallet.backedUp
    ? 'Your passkey is backed up by the maker of your device: on a new one it is there again once you sign in to the same account.'
    : 'Your passkey is on this device alone. If the device is lost, only what you have kept elsewhere opens the wallet.'
}

function Way({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 grow basis-72">
        <h3 className="font-medium">{name}</h3>
        <p className="text-sm text-muted">{hint}</p>
      </div>
      {children}
    </li>
  )
}

type Tried = { at: 'choose' | 'file' } | { at: 'opened'; address: ChainAddress } | { at: 'failed'; why: string }

const refusals = {
  declined: 'Nothing was opened. Try again, or try another passkey.',
  exists: 'Nothing was opened. Try again, or try another passkey.',
  no_prf: 'This passkey can’t open a wallet in this browser.',
  unavailable: 'Passkeys are not available on this page.',
  unreachable: 'We could not be reached to look for the wallet of this passkey. Check your connection and try again.',
  unfinished: 'This passkey was made for a wallet but not finished. It opens nothing.',
} satisfies Record<PasskeyError['refusal'], string>

/** Opens a file or a passkey, and says whether it is this wallet. */
function TryIt({ address, rpId }: { address: ChainAddress; rpId: string }) {
  const [tried, setTried] = useState<Tried>({ at: 'choose' })
  const [busy, setBusy] = useState(false)

  async function tryPasskey() {
    setBusy(true)
    try {
      setTried({ at: 'opened', address: (await openWithPasskey(rpId, {})).address })
    } catch (failure) {
      const why = failure instanceof PasskeyError ? refusals[failure.refusal] : 'What this passkey opens is damaged.'
      setTried({ at: 'failed', why })
    }
    setBusy(false)
  }

  return (
    <Dialog
      trigger={<Button>Try it</Button>}
      title="Try what you have kept"
      description="We open it, compare its address with the one of this wallet, and forget it again."
      onOpenChange={() => setTried({ at: 'choose' })}
    >
      <div className="grid gap-4">
        {tried.at === 'opened' && <Verdict opened={tried.address} expected={address} />}
        {tried.at === 'failed' && (
          <Alert tone="warning" live>
            {tried.why}
          </Alert>
        )}
        {tried.at === 'file' ? (
          <UnlockFile onOpen={(opened) => setTried({ at: 'opened', address: opened.address })} />
        ) : (
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => setTried({ at: 'file' })} icon={<KeyRound aria-hidden="true" className="size-4" />}>
              Try a file
            </Button>
            <Button
              busy={busy}
              onClick={() => void tryPasskey()}
              icon={<Fingerprint aria-hidden="true" className="size-4" />}
            >
              Try a passkey
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

function Verdict({ opened, expected }: { opened: ChainAddress; expected: ChainAddress }) {
  if (opened === expected)
    return (
      <Alert tone="positive" live title="It opens this wallet">
        Its address is the same.
      </Alert>
    )
  return (
    <Alert tone="warning" live title="It opens another wallet">
      Its address is <Address value={opened} copy={false} />. It doesn’t bring this wallet back.
    </Alert>
  )
}
