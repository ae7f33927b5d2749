'use client'

import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslations } from 'next-intl'
import { privateKeyToAccount } from 'viem/accounts'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import type { OpenWallet } from './open-wallet'

/** Signs a text (EIP-191), to prove elsewhere that one owns this wallet. */
export function SignMessage({ wallet }: { wallet: OpenWallet }) {
  const t = useTranslations('ownWallet.proof')
  const [message, setMessage] = useState('')
  const [empty, setEmpty] = useState(false)
  const [signature, setSignature] = useState('')

  async function sign(event: SubmitEvent) {
    event.preventDefault()
    setEmpty(!message)
    if (message) setSignature(await privateKeyToAccount(wallet.key).signMessage({ message }))
  }

  return (
    <Card title={t('title')} description={t('signLead')}>
      <form onSubmit={sign} noValidate className="grid gap-4">
        <Field label={t('text')} error={empty ? t('noText') : null} required>
          <Textarea
            rows={3}
            dir="auto"
            value={message}
            onChange={(event) => {
              setMessage(event.target.value)
              setSignature('')
            }}
          />
        </Field>
        <Button type="submit" className="justify-self-start">
          {t('sign')}
        </Button>
        <div aria-live="polite">
          {signature && (
            <div className="flex items-end gap-2">
              <Field label={t('signature')} className="grow">
                <Input readOnly dir="ltr" value={signature} className="figures" />
              </Field>
              <CopyButton text={signature} label={t('copySignature')} className="pb-1" />
            </div>
          )}
        </div>
      </form>
    </Card>
  )
}
