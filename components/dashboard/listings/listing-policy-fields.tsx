'use client'

import { useState } from 'react'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { FormError, FormField } from '../forms/action-form'
import { Section } from '../forms/section'
import { AllowListField } from './allow-list-field'
import { POLICIES } from './selling-labels'

type Props = {
  snapshots: { id: string; name: string }[]
  /** There is one unit only, so no limit for each buyer. */
  unique: boolean
}

/** Who may buy, and how much. */
export function PolicyFields({ snapshots, unique }: Props) {
  const [policy, setPolicy] = useState<keyof typeof POLICIES>('FCFS')
  const hints = {
    FCFS: 'First come, first served.',
    ALLOW_LIST: 'Wallet and email addresses that you choose. You can add more later.',
    SNAPSHOT:
      snapshots.length === 0
        ? 'Take a snapshot of a collection first.'
        : 'People who owned an item of a collection at a certain moment.',
  } satisfies Record<keyof typeof POLICIES, string>
  return (
    <Section title="Who may buy">
      <RadioChoices
        legend="Policy"
        name="policy.type"
        value={policy}
        onChange={setPolicy}
        options={(Object.keys(POLICIES) as (keyof typeof POLICIES)[]).map((value) => ({
          value,
          label: POLICIES[value],
          hint: hints[value],
          disabled: value === 'SNAPSHOT' && snapshots.length === 0,
        }))}
      />
      {policy === 'ALLOW_LIST' && (
        <AllowListField addresses="policy.eth_addresses" emails="policy.email_addresses" optional />
      )}
      {policy === 'SNAPSHOT' && (
        <FormField name="policy.snapshot_id" label="Snapshot" required>
          <Select name="policy.snapshot_id">
            {snapshots.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </FormField>
      )}
      <FormError name="policy" />
      {!unique && (
        <FormField
          name="policy.max_per_user"
          label="At most for one buyer"
          hint="Across all their purchases. Leave empty for no limit."
          className="max-w-xs"
          optional
        >
          <Input name="policy.max_per_user" inputMode="numeric" />
        </FormField>
      )}
    </Section>
  )
}
