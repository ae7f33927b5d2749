'use client'

import { useState } from 'react'
import type { ReactNode } from 'react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { Checkbox, Choices, Radio } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { EVENTS } from '@/lib/platform/api/events'
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
  submit,
  cancel,
}: {
  action: FormAction
  webhook?: Settings
  submit: ReactNode
  cancel: string
}) {
  const [some, setSome] = useState(webhook.events.length > 0)
  return (
    <ActionForm
      action={action}
      reveal={(secret) => <WebhookSecret value={secret} title="The webhook’s secret" done="/dashboard/webhooks" />}
      className="max-w-2xl gap-7"
    >
      <FormField name="name" label="Name" hint="Helps you find it again." required>
        <Input name="name" defaultValue={webhook.name} placeholder="Shop backend" autoComplete="off" />
      </FormField>
      <FormField
        name="url"
        label="Address"
        hint="https, and reachable from the internet. Events are posted to it as JSON."
        required
      >
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
        <Choices legend="Which events?">
          <Radio
            name="which"
            value="all"
            checked={!some}
            onChange={() => setSome(false)}
            label="All of them"
            hint="Includes event types that are added later. Your receiver should ignore types it doesn’t know."
          />
          <Radio name="which" value="some" checked={some} onChange={() => setSome(true)} label="Only these" />
        </Choices>
        <input type="hidden" name="events:list" value="" />
        {some && (
          <div className="divide-y rounded-md border">
            {EVENT_GROUPS.map(({ title, events }) => (
              <fieldset key={title} className="grid gap-2 px-4 py-3">
                <legend className="float-left mb-2 text-sm font-medium">{title}</legend>
                {events.map((event) => (
                  <Checkbox
                    key={event}
                    name="events:list"
                    value={event}
                    defaultChecked={webhook.events.includes(event)}
                    label={<span className="figures">{event}</span>}
                    hint={EVENTS[event].when}
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
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}
