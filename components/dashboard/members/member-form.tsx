'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { MailPlus } from 'lucide-react'
import type { ActionState, FormAction } from '@/lib/platform/api/form-action'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { Role } from '@/lib/platform/api/permissions'
import { ActionForm, FormField, Submit } from '../forms/action-form'

/** Invites somebody by email, then is empty for the next invitation. */
export function InviteForm({ action, roles }: { action: FormAction; roles: readonly Role[] }) {
  const t = useTranslations('dashboard.members')
  const tRoles = useTranslations('dashboard.common.roles')
  const [round, setRound] = useState(0)
  const [role, setRole] = useState<Role>('EDITOR')
  async function invite(state: ActionState, form: FormData): Promise<ActionState> {
    const answer = await action(state, form)
    if (answer?.ok) setRound((before) => before + 1)
    return answer
  }
  return (
    <ActionForm action={invite} draft="invitation" className="gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <FormField name="email" label={t('email')} required>
          <Input
            key={round}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            placeholder={t('emailExample')}
          />
        </FormField>
        <FormField name="role" label={t('role')} required>
          <Select name="role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {tRoles(each)}
              </option>
            ))}
          </Select>
        </FormField>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Submit icon={<MailPlus aria-hidden="true" className="size-4" />}>{t('inviteIt')}</Submit>
        <p aria-live="polite" className="min-w-0 basis-64 grow text-sm text-muted">
          {t(`hints.${role}`)}
        </p>
      </div>
    </ActionForm>
  )
}
