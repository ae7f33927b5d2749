'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/link-button'
import { Checkbox, Choices, Radio } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import type { EventType } from '@/lib/platform/api/events'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { EVENT_GROUPS } from './webhook-labels'
import { WebhookSecret } from './webhook-secret'

type Settings = { name: string; url: string; events: readonly EventType[] }
const NEW: Settings = { name: '', url: '', events: [] }

/** A webhook's URL and events. A new webhook shows its secret in place of the form. */
export function WebhookForm({
  action,
  webhook = NEW,
  opened,
  submit,
  cancel,
}: {
  action: FormAction
  webhook?: Settings
  opened?: Opened
  submit: ReactNode
  cancel: string
}) {
  const t = useTranslations('dashboard.webhooks')
  const [some, setSome] = useState(webhook.events.length > 0)
  return (
    <ActionForm
      action={action}
      draft="webhook"
      opened={opened}
      reveal={(secret) => <WebhookSecret value={secret} title={t('form.newSecret')} done="/dashboard/webhooks" />}
      className="max-w-2xl gap-7"
    >
      <FormField name="name" label={t('form.name')} hint={t('form.nameHint')} required>
        <Input name="name" defaultValue={webhook.name} placeholder={t('form.nameExample')} autoComplete="off" />
      </FormField>
      <FormField name="url" label={t('form.address')} hint={t('form.addressHint')} required>
        <Input
          name="url"
          type="url"
          inputMode="url"
          defaultValue={webhook.url}
          placeholder="https://shop.example.com/hooks/vitrine"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </FormField>
      <div className="grid gap-5">
        <Choices legend={t('form.which')}>
          <Radio
            name="which"
            value="all"
            checked={!some}
            onChange={() => setSome(false)}
            label={t('form.all')}
            hint={t('form.allHint')}
          />
          <Radio name="which" value="some" checked={some} onChange={() => setSome(true)} label={t('form.some')} />
        </Choices>
        <input type="hidden" name="events:list" value="" />
        {some && (
          <div className="divide-y rounded-md border">
            {EVENT_GROUPS.map(({ group, events }) => (
              <fieldset key={group} className="grid gap-2 px-4 py-3">
                <legend className="float-left mb-2 text-sm font-medium">{t(`groups.${group}`)}</legend>
                {events.map((event) => (
                  <Checkbox
                    key={event}
                    name="events:list"
                    value={event}
                    defaultChecked={webhook.events.includes(event)}
                    label={<span className="figures">{event}</span>}
                    hint={t(`events.${event}`)}
                    className="clear-both"
                  />
                ))}
              </fieldset>
            ))}
          </div>
        )}
        <FormError name="events" />
      </div>
      <div className="flex flex-wrap gap-2">
        <Submit>{submit}</Submit>
        <LinkButton href={cancel} variant="quiet">
          {t('form.cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}
