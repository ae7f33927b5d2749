'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { AddressInput } from '@/components/ui/address-input'
import { Choices, Radio } from '@/components/ui/checkbox'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { Flag } from '../forms/section'
import { useQuestion } from '../forms/use-question'

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
  const t = useTranslations('dashboard.collections')
  const [type, setType] = useState<'PLATFORM' | 'EXTERNAL'>('PLATFORM')
  const [variant, setVariant] = useState<'ERC721' | 'ERC1155'>('ERC721')
  const { ask, dialogOf } = useQuestion()
  const [networkId, setNetworkId] = useState(networks[0]?.id)
  const place = type === 'PLATFORM' ? 'platform' : 'external'
  return (
    <>
      <ActionForm action={action} ask={async () => type === 'EXTERNAL' || ask()} className="max-w-2xl gap-6">
        <FormField name="network_id" label={t('columns.network')} hint={t('deploy.networkHint')} required>
          <Select
            name="network_id:number"
            value={networkId}
            onChange={(event) => setNetworkId(Number(event.target.value))}
          >
            {networks.map(({ id, name, testnet }) => (
              <option key={id} value={id}>
                {testnet ? t('testnet', { network: name }) : name}
              </option>
            ))}
          </Select>
        </FormField>
        <RadioChoices
          legend={t('columns.contract')}
          name="type"
          value={type}
          onChange={setType}
          options={[
            { value: 'PLATFORM', label: t('deploy.newOne'), hint: t('deploy.newOneHint') },
            {
              value: 'EXTERNAL',
              label: t('deploy.existing'),
              hint: t('deploy.existingHint'),
            },
          ]}
        />
        {type === 'EXTERNAL' && (
          <FormField name="external.address" label={t('connect.address')} required>
            <AddressInput name="external.address" />
          </FormField>
        )}
        <RadioChoices
          legend={t('deploy.kind')}
          name={type === 'PLATFORM' ? 'platform.variant' : 'external.token_type'}
          value={variant}
          onChange={setVariant}
          options={[
            { value: 'ERC721', label: t('kinds.ERC721'), hint: t('deploy.uniqueHint') },
            {
              value: 'ERC1155',
              label: t('kinds.ERC1155'),
              hint: t('deploy.editionHint'),
            },
          ]}
        />
        {type === 'PLATFORM' && (
          <>
            <div className="grid gap-6 sm:grid-cols-2">
              <FormField name="platform.symbol" label={t('deploy.symbol')} hint={t('deploy.symbolHint')} required>
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
                label={t('deploy.atMost')}
                hint={variant === 'ERC721' ? t('deploy.atMostItems') : t('deploy.atMostUnits')}
                optional
              >
                <Input name="platform.max_supply" inputMode="numeric" placeholder={t('deploy.noLimit')} />
              </FormField>
            </div>
            <FormField name="platform.owner" label={t('deploy.owner')} hint={t('deploy.ownerHint')} optional>
              <AddressInput name="platform.owner" />
            </FormField>
            <Flag
              name="platform.soulbound"
              checked={false}
              label={t('deploy.soulbound')}
              hint={t('deploy.soulboundHint')}
            />
          </>
        )}
        <Choices legend={t('deploy.tokenIds')}>
          <Radio
            name="token_id_assignment_strategy"
            value="AUTOMATIC"
            defaultChecked
            label={t('deploy.counted')}
            hint={t('deploy.countedHint')}
          />
          <Radio
            name="token_id_assignment_strategy"
            value="MANUAL"
            label={t('deploy.manual')}
            hint={t('deploy.manualHint')}
          />
        </Choices>
        <FormError name={place} />
        <div>
          <Submit size="lg">{type === 'PLATFORM' ? t('deploy.action') : t('connect.submit')}</Submit>
        </div>
      </ActionForm>
      {dialogOf({
        title: t('deploy.ask', { network: networks.find(({ id }) => id === networkId)?.name ?? '' }),
        description: t('deploy.askText', { kind: t(`kinds.${variant}`) }),
        confirm: t('deploy.action'),
        tone: 'primary',
      })}
    </>
  )
}
