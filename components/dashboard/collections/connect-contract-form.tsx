'use client'

import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { AddressInput } from '@/components/ui/address-input'
import { LinkButton } from '@/components/ui/link-button'
import { Choices, Radio } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import type { NetworkChoice } from './deployment-form'

const at = 'deployment_request'

/** Connects an existing contract as a new collection. */
export function ConnectContractForm({
  action,
  networks,
  cancel,
}: {
  action: FormAction
  networks: NetworkChoice[]
  cancel: string
}) {
  const t = useTranslations('dashboard.collections')
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <input type="hidden" name={`${at}.type`} value="EXTERNAL" />
      <FormField name="name" label={t('columns.name')} hint={t('connect.nameHint')} required>
        <Input name="name" autoComplete="off" maxLength={255} placeholder={t('connect.nameExample')} />
      </FormField>
      <FormField name={`${at}.network_id`} label={t('columns.network')} required>
        <Select name={`${at}.network_id:number`} defaultValue={networks[0]?.id}>
          {networks.map(({ id, name, testnet }) => (
            <option key={id} value={id}>
              {testnet ? t('testnet', { network: name }) : name}
            </option>
          ))}
        </Select>
      </FormField>
      <FormField name={`${at}.external.address`} label={t('connect.address')} required>
        <AddressInput name={`${at}.external.address`} />
      </FormField>
      <Choices legend={t('deploy.kind')}>
        <Radio
          name={`${at}.external.token_type`}
          value="ERC721"
          defaultChecked
          label={t('kinds.ERC721')}
          hint={t('deploy.uniqueHint')}
        />
        <Radio
          name={`${at}.external.token_type`}
          value="ERC1155"
          label={t('kinds.ERC1155')}
          hint={t('connect.edition')}
        />
        <FormError name={`${at}.external.token_type`} />
      </Choices>
      <div className="flex flex-wrap gap-2">
        <Submit>{t('connect.submit')}</Submit>
        <LinkButton href={cancel} variant="quiet">
          {t('cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}
