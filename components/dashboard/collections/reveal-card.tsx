import { Sparkles } from 'lucide-react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { ConfirmAction } from '../forms/confirm-action'

export type Reveal = {
  state: 'HIDDEN' | 'REVEALED'
  commitment: string | null
  provenance: string | null
  revealed_at: Date | null
  seed: string | null
  proof_url: string
}

/** A delayed reveal: its state, its commitment and the button that reveals. `action` null: without the permission. */
export function RevealCard({
  reveal,
  name,
  items,
  unlocked,
  action,
}: {
  reveal: Reveal
  name: string
  items: number
  unlocked: number
  action: FormAction | null
}) {
  const hidden = reveal.state === 'HIDDEN'
  return (
    <Card title="Reveal" actions={hidden ? <Badge tone="info">Hidden</Badge> : <Badge tone="positive">Revealed</Badge>}>
      <div className="grid gap-4 text-sm">
        <p className="text-muted">
          {hidden
            ? 'Everybody but you sees the preview. The contents you see here aren’t assigned to the items yet: the reveal deals them at random.'
            : 'The contents were assigned to the items at random, and everyone can see them.'}
        </p>
        <Facts>
          {reveal.revealed_at && (
            <Fact name="When">
              <Time at={reveal.revealed_at} />
            </Fact>
          )}
          <Digest name="Commitment" value={reveal.commitment} />
          <Digest name="Contents" value={reveal.provenance} />
          <Digest name="Seed" value={reveal.seed} />
          <Fact name="Proof">
            <TextLink href={reveal.proof_url}>Public page</TextLink>
          </Fact>
        </Facts>
        {hidden && action && <RevealButton name={name} items={items} unlocked={unlocked} action={action} />}
      </div>
    </Card>
  )
}

function Digest({ name, value }: { name: string; value: string | null }) {
  if (!value) return null
  return (
    <Fact name={name}>
      <span className="inline-flex items-center gap-1">
        <span className="figures">
          {value.slice(0, 6)}…{value.slice(-4)}
        </span>
        <CopyButton text={value} label={`Copy the ${name.toLowerCase()}`} />
      </span>
    </Fact>
  )
}

function RevealButton({
  name,
  items,
  unlocked,
  action,
}: {
  name: string
  items: number
  unlocked: number
  action: FormAction
}) {
  if (items === 0) return <p className="text-muted">Make items and lock them: then they can be revealed.</p>
  if (unlocked > 0)
    return (
      <p className="text-muted">
        {unlocked === 1 ? 'One item is' : `${unlocked} items are`} not locked yet. Lock or delete what isn’t, then
        reveal.
      </p>
    )
  return (
    <div>
      <ConfirmAction
        action={action}
        trigger={
          <Button variant="primary" icon={<Sparkles aria-hidden="true" className="size-4" />}>
            Reveal
          </Button>
        }
        title={`Reveal “${name}”?`}
        description={`What the ${items === 1 ? 'item holds' : `${items} items hold`} is assigned at random and shown to everyone immediately. This can’t be undone.`}
        confirm="Reveal it"
        tone="primary"
        type={name}
      />
    </div>
  )
}
