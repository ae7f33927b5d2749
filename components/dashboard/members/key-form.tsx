'use client'

import type { FormAction } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Checkbox, Choices, Radio } from '@/components/ui/checkbox'
import { CopyButton } from '@/components/ui/copy-button'
import { Input } from '@/components/ui/input'
import { AREAS } from '@/lib/platform/api/permissions'
import type { Permission } from '@/lib/platform/api/permissions'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'

const words = (area: string) =>
  (area.charAt(0).toUpperCase() + area.slice(1).replaceAll('_', ' ')).replace(/^Api/, 'API')

/** Creates an API key, then shows it in place of the form. */
export function KeyForm({
  action,
  mine,
  testnetsOnly,
}: {
  action: FormAction
  mine: readonly Permission[]
  testnetsOnly: boolean
}) {
  return (
    <ActionForm action={action} reveal={(key) => <NewKey value={key} />} className="max-w-2xl gap-7">
      <FormField
        name="name"
        label="Name"
        hint="For example the program that uses it, so that you know what stops if you revoke it."
        required
      >
        <Input name="name" placeholder="Shop backend" autoComplete="off" />
      </FormField>
      <Choices legend="Mode">
        <Radio name="mode" value="TEST" defaultChecked label="Test" hint="Changes only what is on testnets." />
        <Radio
          name="mode"
          value="LIVE"
          disabled={testnetsOnly}
          label="Live"
          hint={testnetsOnly ? 'This installation is on testnets only.' : 'Changes what is on every network.'}
        />
      </Choices>
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-sm font-medium">Permissions</legend>
        <p className="mb-2 text-sm text-muted">Give it as little as it needs. A key never holds more than you do.</p>
        <input type="hidden" name="permissions:list" value="" />
        <div className="divide-y rounded-md border">
          {AREAS.map((area) => (
            <div key={area} className="flex flex-wrap items-center justify-between gap-x-6 px-4 py-1.5">
              <span className="text-sm">{words(area)}</span>
              <span className="flex gap-5">
                {(['read', 'write'] as const).map((kind) => (
                  <Checkbox
                    key={kind}
                    name="permissions:list"
                    value={`${area}:${kind}`}
                    disabled={!mine.includes(`${area}:${kind}`)}
                    defaultChecked={kind === 'read'}
                    className="items-center [&>input]:mt-0"
                    label={
                      <>
                        <span className="sr-only">{words(area)}: </span>
                        {kind}
                      </>
                    }
                  />
                ))}
              </span>
            </div>
          ))}
        </div>
        <FormError name="permissions" />
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <Submit>Create the key</Submit>
        <LinkButton href="/dashboard/api-keys" variant="quiet">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}

function NewKey({ value }: { value: string }) {
  return (
    <Card title="Your new key" className="max-w-2xl">
      <div className="grid gap-5">
        <Alert tone="warning" live>
          This is the only time it is shown. Copy it now and keep it where secrets are kept.
        </Alert>
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-well px-4 py-3">
          <code className="figures min-w-0 break-all" data-testid="api-key">
            {value}
          </code>
          <CopyButton text={value} label="Copy the key" showLabel />
        </div>
        <div>
          <LinkButton href="/dashboard/api-keys" variant="primary">
            I have it
          </LinkButton>
        </div>
      </div>
    </Card>
  )
}
