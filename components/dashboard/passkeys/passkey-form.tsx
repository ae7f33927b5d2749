'use client'

import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { ActionFailure, ActionState } from '@/lib/platform/api/form-action'
import { Input } from '@/components/ui/input'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { useAuthenticator } from './ask-authenticator'

type Props = {
  begin: () => Promise<{ ok: true; options: PublicKeyCredentialCreationOptionsJSON } | ActionFailure>
  finish: (name: string, answer: unknown) => Promise<{ ok: true } | ActionFailure>
  /** The passkey's name unless the person gives another. */
  name: string
  /** Where to go on; left out: the page stays. */
  next?: string
}

/** Has this device make a passkey, and registers it under a name. */
export function PasskeyForm({ begin, finish, name, next }: Props) {
  const t = useTranslations('dashboard.passkeys')
  const askAuthenticator = useAuthenticator()
  const router = useRouter()

  async function register(_: ActionState, form: FormData): Promise<ActionState> {
    const begun = await begin()
    if (!begun.ok) return begun
    const asked = await askAuthenticator(({ startRegistration }) => startRegistration({ optionsJSON: begun.options }))
    if (!asked.ok) return asked
    const done = await finish(String(form.get('name') ?? ''), asked.answer)
    if (!done.ok) return done
    if (next) router.replace(next)
    else router.refresh()
    return { ok: true, message: t('registered') }
  }

  return (
    <ActionForm action={register} draft="passkey">
      <FormField name="name" label={t('name')} hint={t('nameHint')} required>
        <Input name="name" defaultValue={name} maxLength={255} autoComplete="off" />
      </FormField>
      <div>
        <Submit>{t('register')}</Submit>
      </div>
    </ActionForm>
  )
}
