'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import type { POLICY_TYPES } from '@/lib/platform/api/listing-record'
import { RadioChoices } from '@/components/ui/radio-choices'
import { Select } from '@/components/ui/select'
import { FormError, FormField } from '../forms/action-form'
import { Section } from '../forms/section'
import { AllowListField } from './allow-list-field'

const POLICIES = ['FCFS', 'ALLOW_LIST', 'SNAPSHOT'] as const satisfies typeof POLICY_TYPES

/** Who may buy. */
export function PolicyFields({ snapshots }: { snapshots: { id: string; name: string }[] }) {
  const t = useTranslations('dashboard.listings')
  const [policy, setPolicy] = useState<(typeof POLICIES)[number]>('FCFS')
  return (
    <Section title={t('policy.title')}>
      <RadioChoices
        legend={t('policy.legend')}
        name="policy.type"
        value={policy}
        onChange={setPolicy}
        options={POLICIES.map((value) => {
          const isMissing = value === 'SNAPSHOT' && snapshots.length === 0
          return {
            value,
            label: t(`policies.${value}`),
            hint: isMissing ? t('policy.noSnapshots') : t(`policy.hints.${value}`),
            disabled: isMissing,
          }
        })}
      />
      {policy === 'ALLOW_LIST' && (
        <AllowListField addresses="policy.eth_addresses" emails="policy.email_addresses" optional />
      )}
      {policy === 'SNAPSHOT' && (
        <FormField name="policy.snapshot_id" label={t('policy.snapshot')} required>
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
    </Section>
  )
}
