'use client'

import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
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
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <input type="hidden" name={`${at}.type`} value="EXTERNAL" />
      <FormField name="name" label="Name" hint="Unique among your collections. The contract keeps its own." required>
        <Input name="name" autoComplete="off" maxLength={255} placeholder="River birds" />
      </FormField>
      <FormField name={`${at}.network_id`} label="Network" required>
        <Select name={`${at}.network_id:number`} defaultValue={networks[0]?.id}>
          {networks.map(({ id, name, testnet }) => (
            <option key={id} value={id}>
              {name}
              {testnet ? ' (testnet)' : ''}
            </option>
          ))}
        </Select>
      </FormField>
      <FormField name={`${at}.external.address`} label="Contract address" required>
        <Input
          name={`${at}.external.address`}
          placeholder="0x…"
          spellCheck={false}
          autoComplete="off"
          className="figures"
        />
      </FormField>
      <Choices legend="Kind of item">
        <Radio
          name={`${at}.external.token_type`}
          value="ERC721"
          defaultChecked
          label="One of each"
          hint="ERC-721: every item is unique."
        />
        <Radio
          name={`${at}.external.token_type`}
          value="ERC1155"
          label="Many of each"
          hint="ERC-1155: every item is an edition."
        />
        <FormError name={`${at}.external.token_type`} />
      </Choices>
      <div className="flex flex-wrap gap-2">
        <Submit>Connect the contract</Submit>
        <LinkButton href={cancel} variant="quiet">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}
