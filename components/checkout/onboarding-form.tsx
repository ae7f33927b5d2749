'use client'

import { useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'

/** The form of the built-in provider's onboarding. The answers aren't sent anywhere. */
export function OnboardingForm({ onSendIn }: { onSendIn: () => Promise<void> }) {
  const [busy, begin] = useTransition()
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        begin(onSendIn)
      }}
    >
      <Field label="Name of your business" required>
        <Input name="business" defaultValue="The River Society" autoComplete="off" />
      </Field>
      <Field label="Country" required>
        <Select name="country" defaultValue="DE">
          <option value="DE">Germany</option>
          <option value="GB">United Kingdom</option>
          <option value="JP">Japan</option>
          <option value="US">United States</option>
        </Select>
      </Field>
      <Field label="Account that the money goes to" required>
        <Input name="account" defaultValue="DE89 3704 0044 0532 0130 00" autoComplete="off" className="figures" />
      </Field>
      <Checkbox name="agreed" required defaultChecked label="What I wrote is true" hint="It is only a test." />
      <Button type="submit" variant="primary" size="lg" busy={busy}>
        Send it in
      </Button>
    </form>
  )
}
