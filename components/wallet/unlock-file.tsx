'use client'

import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslations } from 'next-intl'
import { privateKeyToAddress } from 'viem/accounts'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { OpenWallet } from './open-wallet'
import { KeystoreError, readKeystore } from './keystore'

/** Opens a wallet from its file and password; both stay in this page. */
export function UnlockFile({ onOpen }: { onOpen: (wallet: OpenWallet) => void }) {
  const t = useTranslations('wallet.file')
  const tMake = useTranslations('wallet.make')
  const [file, setFile] = useState<File | null>(null)
  const [password, setPassword] = useState('')
  const [share, setShare] = useState<number | null>(null)
  const [problem, setProblem] = useState<{ file?: string; password?: string }>({})

  async function unlock(event: SubmitEvent) {
    event.preventDefault()
    if (!file) return setProblem({ file: t('noFile') })
    if (!password) return setProblem({ password: t('noPassword') })
    setProblem({})
    setShare(0)
    try {
      // Keystore files are below a kilobyte; a large file chosen by mistake must not be read into memory.
      const text = file.size > 100_000 ? '' : await file.text()
      const key = await readKeystore(text, password, setShare)
      onOpen({ kind: 'file', key, address: privateKeyToAddress(key) })
    } catch (failure) {
      setProblem(
        failure instanceof KeystoreError
          ? { [failure.fault === 'password' ? 'password' : 'file']: t(`faults.${failure.fault}`) }
          : { file: t('unreadable') },
      )
    } finally {
      setShare(null)
    }
  }

  return (
    <form onSubmit={unlock} noValidate className="grid gap-4">
      <Field label={t('file')} error={problem.file ?? null} required>
        <Input
          type="file"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          className={
            'file:me-3 file:rounded-sm file:border-0 file:bg-well file:px-2.5 file:py-1 file:text-sm ' +
            'file:font-medium file:text-ink'
          }
        />
      </Field>
      <Field label={t('itsPassword')} error={problem.password ?? null} required>
        <Input
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={share !== null}>
        {share === null ? tMake('unlock') : t('unlocking', { percent: Math.round(share * 100) })}
      </Button>
    </form>
  )
}
