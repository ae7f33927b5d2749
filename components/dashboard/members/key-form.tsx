'use client'

import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { Checkbox, Choices, Radio } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { AREAS } from '@/lib/platform/api/permissions'
import type { Permission } from '@/lib/platform/api/permissions'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { ShownSecret } from '../forms/shown-secret'

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
  const t = useTranslations('dashboard.apiKeys')
  return (
    <ActionForm action={action} draft="key" reveal={(key) => <NewKey value={key} />} className="max-w-2xl gap-7">
      <FormField name="name" label={t('name')} hint={t('nameHint')} required>
        <Input name="name" placeholder={t('nameExample')} autoComplete="off" />
      </FormField>
      <Choices legend={t('mode')}>
        <Radio name="mode" value="TEST" defaultChecked label={t('test')} hint={t('testHint')} />
        <Radio
          name="mode"
          value="LIVE"
          disabled={testnetsOnly}
          label={t('live')}
          hint={testnetsOnly ? t('testnetsOnly') : t('liveHint')}
        />
      </Choices>
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-sm font-medium">{t('permissions')}</legend>
        <p className="mb-2 text-sm text-muted">{t('permissionsHint')}</p>
        <input type="hidden" name="permissions:list" value="" />
        <div className="divide-y rounded-md border">
          {AREAS.map((area) => (
            <div key={area} className="flex flex-wrap items-center justify-between gap-x-6 px-4 py-1.5">
              <span className="text-sm">{t(`areas.${area}`)}</span>
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
                      <span>
                        <span className="sr-only">{`${t('ofArea', { area: t(`areas.${area}`) })} `}</span>
                        <span>{t(kind)}</span>
                      </span>
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
        <Submit>{t('create')}</Submit>
        <LinkButton href="/dashboard/api-keys" variant="quiet">
          {t('cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}

function NewKey({ value }: { value: string }) {
  const t = useTranslations('dashboard.apiKeys')
  return (
    <Card title={t('yours')} className="max-w-2xl">
      <div className="grid gap-5">
        <Alert tone="warning" live>
          {t('once')}
        </Alert>
        <ShownSecret value={value} label={t('copy')} testId="api-key" />
        <div>
          <LinkButton href="/dashboard/api-keys" variant="primary" data-unasked>
            {t('haveIt')}
          </LinkButton>
        </div>
      </div>
    </Card>
  )
}
