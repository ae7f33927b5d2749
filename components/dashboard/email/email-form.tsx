'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Choices, Radio } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { type Provider, PROVIDERS } from './email-labels'

type Config = Record<string, string | number | boolean | null | undefined>
type Current = { provider: Provider; config: Config }

/** The settings of an organization's own mail. The provider is chosen once; its settings can change. */
export function EmailForm({
  action,
  opened,
  current,
  sender,
}: {
  action: FormAction
  opened?: Opened
  current: Current | null
  /** The name that stands before the address by default. */
  sender: string
}) {
  const t = useTranslations('dashboard.settings.mail')
  const [provider, setProvider] = useState<Provider>(current?.provider ?? 'MAIL_API')
  const config = current?.config ?? {}
  return (
    <ActionForm action={action} opened={opened} draft={current ? 'settings' : 'new'} className="max-w-2xl gap-6">
      {!current && (
        <Choices legend={t('form.who')}>
          {PROVIDERS.map((one) => (
            <Radio
              key={one}
              name="provider"
              value={one}
              checked={provider === one}
              onChange={() => setProvider(one)}
              label={t(`providers.${one}.name`)}
              hint={t(`providers.${one}.about`)}
            />
          ))}
          <FormError name="provider" />
        </Choices>
      )}
      <FormField name="config.email_from" label={t('sender')} hint={t('form.senderHint')} required>
        <Input
          name="config.email_from"
          defaultValue={text(config.email_from)}
          placeholder={`${sender} <drops@example.com>`}
          autoComplete="off"
          spellCheck={false}
        />
      </FormField>
      <FormField name="config.email_reply_to" label={t('repliesTo')} hint={t('form.repliesHint')} optional>
        <Input
          name="config.email_reply_to:null"
          defaultValue={text(config.email_reply_to)}
          placeholder="hello@example.com"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
        />
      </FormField>
      {provider === 'MAIL_API' && <Mailgun config={config} />}
      {provider === 'CLOUD_MAIL' && <Ses config={config} />}
      {provider === 'CUSTOM_SMTP' && <Smtp config={config} />}
      <div>
        <Submit>{current ? t('form.saveChanges') : t('form.save')}</Submit>
      </div>
    </ActionForm>
  )
}

const text = (value: Config[string]): string => (value === null || value === undefined ? '' : String(value))

function Mailgun({ config }: { config: Config }) {
  const t = useTranslations('dashboard.settings.mail.form')
  return (
    <>
      <FormField name="config.domain" label={t('domain')} hint={t('domainHint')} required>
        <Input
          name="config.domain"
          defaultValue={text(config.domain)}
          placeholder="mg.example.com"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
        />
      </FormField>
      <FormField name="config.region" label={t('region')} className="max-w-xs" required>
        <Select name="config.region" defaultValue={text(config.region) || 'US'}>
          <option value="US">{t('US')}</option>
          <option value="EU">{t('EU')}</option>
        </Select>
      </FormField>
      <Secret name="api_key" label={t('apiKey')} hint={t('apiKeyHint')} set={config.api_key_set === true} required />
      <Secret
        name="webhook_signing_key"
        label={t('signingKey')}
        hint={t('signingKeyHint')}
        set={config.webhook_signing_key_set === true}
      />
    </>
  )
}

function Ses({ config }: { config: Config }) {
  const t = useTranslations('dashboard.settings.mail.form')
  return (
    <>
      <FormField name="config.region" label={t('region')} className="max-w-xs" required>
        <Input
          name="config.region"
          defaultValue={text(config.region)}
          placeholder="eu-west-1"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
        />
      </FormField>
      <FormField name="config.smtp_username" label={t('smtpUser')} hint={t('smtpUserHint')} required>
        <Input
          name="config.smtp_username"
          defaultValue={text(config.smtp_username)}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          className="figures"
        />
      </FormField>
      <Secret name="smtp_password" label={t('smtpPassword')} set={config.smtp_password_set === true} required />
      <Port config={config} />
    </>
  )
}

function Smtp({ config }: { config: Config }) {
  const t = useTranslations('dashboard.settings.mail.form')
  return (
    <>
      <FormField name="config.host" label={t('server')} hint={t('serverHint')} required>
        <Input
          name="config.host"
          defaultValue={text(config.host)}
          placeholder="smtp.example.com"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
        />
      </FormField>
      <Port config={config} />
      <FormField name="config.username" label={t('user')} required>
        <Input
          name="config.username"
          defaultValue={text(config.username)}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
        />
      </FormField>
      <Secret name="password" label={t('password')} set={config.password_set === true} required />
    </>
  )
}

function Port({ config }: { config: Config }) {
  const t = useTranslations('dashboard.settings.mail.form')
  return (
    <FormField name="config.port" label={t('port')} hint={t('portHint')} className="max-w-xs" optional>
      <Input
        name="config.port:number"
        defaultValue={text(config.port)}
        inputMode="numeric"
        placeholder="587"
        autoComplete="off"
        className="figures"
      />
    </FormField>
  )
}

/** A stored secret: never shown again, replaced by what is typed. */
function Secret({
  name,
  label,
  hint,
  set,
  required = false,
}: {
  name: string
  label: string
  hint?: string
  set: boolean
  required?: boolean
}) {
  const t = useTranslations('dashboard.settings.mail.form')
  return (
    <FormField
      name={`config.${name}`}
      label={label}
      hint={set ? t('secretSet') : hint}
      required={required && !set}
      optional={!required && !set}
    >
      <Input
        name={`config.${name}`}
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        placeholder={set ? '••••••••' : undefined}
      />
    </FormField>
  )
}
