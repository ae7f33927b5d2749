'use client'

import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { downloadText } from '../shared/download'
import { deviceNow } from '../shared/server-clock'
import { keystoreName, writeKeystore } from './keystore'

const shortest = 10

/** Asks for a password and downloads the key encrypted with it. Calls `onSaved` once the download has started. */
export function KeystoreForm({ walletKey, onSaved, action }: { walletKey: Hex; onSaved: () => void; action?: string }) {
  const t = useTranslations('wallet.file')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const [share, setShare] = useState<number | null>(null)
  const [failed, setFailed] = useState(false)

  const weak = password.length < shortest ? t('weak', { count: shortest }) : null
  const different = again !== password ? t('different') : null

  async function save(event: SubmitEvent) {
    event.preventDefault()
    setTried(true)
    if (weak || different) return
    setFailed(false)
    setShare(0)
    try {
      const file = await writeKeystore(walletKey, password, setShare)
      downloadText(keystoreName(privateKeyToAddress(walletKey), new Date(deviceNow())), JSON.stringify(file, null, 2))
      onSaved()
    } catch {
      setFailed(true)
    } finally {
      setShare(null)
    }
  }

  return (
    <form onSubmit={save} noValidate className="grid gap-4">
      <Field label={t('password')} hint={t('passwordHint')} error={tried ? weak : null} required>
        <Input
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Field label={t('again')} error={tried && !weak ? different : null} required>
        <Input
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.target.value)}
        />
      </Field>
      {failed && (
        <Alert tone="danger" live>
          {t('failed')}
        </Alert>
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={share !== null}
        icon={<Download aria-hidden="true" className="size-4.5" />}
      >
        {share === null ? (action ?? t('download')) : t('encrypting', { percent: Math.round(share * 100) })}
      </Button>
    </form>
  )
}
