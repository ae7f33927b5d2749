'use client'

import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { Download } from 'lucide-react'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { downloadText } from '../shared/download'
import { keystoreName, writeKeystore } from './keystore'

const shortest = 10

/** Asks for a password and downloads the key encrypted with it. Calls `onSaved` once the download has started. */
export function KeystoreForm({
  walletKey,
  onSaved,
  action = 'Download the wallet file',
}: {
  walletKey: Hex
  onSaved: () => void
  action?: string
}) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const [share, setShare] = useState<number | null>(null)
  const [failed, setFailed] = useState(false)

  const weak = password.length < shortest ? `Use at least ${shortest} characters.` : null
  const different = again !== password ? 'The two passwords are not the same.' : null

  async function save(event: SubmitEvent) {
    event.preventDefault()
    setTried(true)
    if (weak || different) return
    setFailed(false)
    setShare(0)
    try {
      const file = await writeKeystore(walletKey, password, setShare)
      downloadText(keystoreName(privateKeyToAddress(walletKey), new Date()), JSON.stringify(file, null, 2))
      onSaved()
    } catch {
      setFailed(true)
    } finally {
      setShare(null)
    }
  }

  return (
    <form onSubmit={save} noValidate className="grid gap-4">
      <Field
        label="Password for the file"
        hint="The file can’t be opened without it, and nobody can reset it."
        error={tried ? weak : null}
        required
      >
        <Input
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Field label="The same password again" error={tried && !weak ? different : null} required>
        <Input
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.target.value)}
        />
      </Field>
      {failed && (
        <Alert tone="danger" live>
          The file could not be made. Close other tabs to free some memory and try again.
        </Alert>
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={share !== null}
        icon={<Download aria-hidden="true" className="size-4.5" />}
      >
        {share === null ? action : `Encrypting, ${Math.round(share * 100)} %`}
      </Button>
    </form>
  )
}
