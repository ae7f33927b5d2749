'use client'

import { useState } from 'react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Choices, Radio } from '@/components/ui/checkbox'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { Flag } from '../forms/section'

export type NetworkChoice = { id: number; name: string; testnet: boolean }

/** Deploys a collection's contract, or connects an existing one. */
export function DeploymentForm({
  action,
  networks,
  suggestedSymbol,
}: {
  action: FormAction
  networks: NetworkChoice[]
  suggestedSymbol: string
}) {
  const [type, setType] = useState<'PLATFORM' | 'EXTERNAL'>('PLATFORM')
  const [variant, setVariant] = useState<'ERC721' | 'ERC1155'>('ERC721')
  const place = type === 'PLATFORM' ? 'platform' : 'external'
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <FormField name="network_id" label="Network" hint="It can’t be changed afterwards." required>
        <Select name="network_id:number" defaultValue={networks[0]?.id}>
          {networks.map(({ id, name, testnet }) => (
            <option key={id} value={id}>
              {name}
              {testnet ? ' (testnet)' : ''}
            </option>
          ))}
        </Select>
      </FormField>
      <RadioChoices
        legend="Contract"
        name="type"
        value={type}
        onChange={setType}
        options={[
          { value: 'PLATFORM', label: 'A new one', hint: 'We deploy it and pay for it. It belongs to you.' },
          {
            value: 'EXTERNAL',
            label: 'One that is there already',
            hint: 'We show its items and owners. We can mint only if the contract allows it.',
          },
        ]}
      />
      {type === 'EXTERNAL' && (
        <FormField name="external.address" label="Contract address" required>
          <Input name="external.address" placeholder="0x…" spellCheck={false} autoComplete="off" className="figures" />
        </FormField>
      )}
      <RadioChoices
        legend="Kind of item"
        name={type === 'PLATFORM' ? 'platform.variant' : 'external.token_type'}
        value={variant}
        onChange={setVariant}
        options={[
          { value: 'ERC721', label: 'One of each', hint: 'ERC-721: every item is unique.' },
          {
            value: 'ERC1155',
            label: 'Many of each',
            hint: 'ERC-1155: every item is an edition of as many units as you like.',
          },
        ]}
      />
      {type === 'PLATFORM' && (
        <>
          <div className="grid gap-6 sm:grid-cols-2">
            <FormField name="platform.symbol" label="Symbol" hint="A few letters that wallets show." required>
              <Input
                name="platform.symbol"
                defaultValue={suggestedSymbol}
                autoComplete="off"
                maxLength={32}
                className="figures"
              />
            </FormField>
            <FormField
              name="platform.max_supply"
              label="At most"
              hint={variant === 'ERC721' ? 'Items in all, for ever.' : 'Units of all items together, for ever.'}
              optional
            >
              <Input name="platform.max_supply" inputMode="numeric" placeholder="No limit" />
            </FormField>
          </div>
          <FormField
            name="platform.owner"
            label="Owner of the contract"
            hint="An address of yours. If empty, this installation’s operator owns it."
            optional
          >
            <Input name="platform.owner" placeholder="0x…" spellCheck={false} autoComplete="off" className="figures" />
          </FormField>
          <Flag
            name="platform.soulbound"
            checked={false}
            label="Bound to its first owner"
            hint="Nobody can pass an item on. For tickets, badges and certificates. It can’t be changed."
          />
        </>
      )}
      <Choices legend="Token ids">
        <Radio
          name="token_id_assignment_strategy"
          value="AUTOMATIC"
          defaultChecked
          label="Counted"
          hint="The next number when an item is locked."
        />
        <Radio
          name="token_id_assignment_strategy"
          value="MANUAL"
          label="Given by you"
          hint="You say the number when you lock an item."
        />
      </Choices>
      <FormError name={place} />
      <div>
        <Submit size="lg">{type === 'PLATFORM' ? 'Deploy' : 'Connect the contract'}</Submit>
      </div>
    </ActionForm>
  )
}
