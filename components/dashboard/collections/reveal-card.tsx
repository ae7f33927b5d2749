import { useTranslations } from 'next-intl'
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
  const t = useTranslations('dashboard.collections.reveal')
  const hidden = reveal.state === 'HIDDEN'
  return (
    <Card
      title={t('title')}
      actions={hidden ? <Badge tone="info">{t('hidden')}</Badge> : <Badge tone="positive">{t('revealed')}</Badge>}
    >
      <div className="grid gap-4 text-sm">
        <p className="text-muted">{hidden ? t('hiddenText') : t('revealedText')}</p>
        <Facts>
          {reveal.revealed_at && (
            <Fact name={t('when')}>
              <Time at={reveal.revealed_at} />
            </Fact>
          )}
          <Digest what="commitment" value={reveal.commitment} />
          <Digest what="contents" value={reveal.provenance} />
          <Digest what="seed" value={reveal.seed} />
          <Fact name={t('proof')}>
            <TextLink href={reveal.proof_url}>{t('publicPage')}</TextLink>
          </Fact>
        </Facts>
        {hidden && action && <RevealButton name={name} items={items} unlocked={unlocked} action={action} />}
      </div>
    </Card>
  )
}

function Digest({ what, value }: { what: 'commitment' | 'contents' | 'seed'; value: string | null }) {
  const t = useTranslations('dashboard.collections.reveal')
  if (!value) return null
  return (
    <Fact name={t(what)}>
      <span className="inline-flex items-center gap-1">
        <span className="figures">{`${value.slice(0, 6)}…${value.slice(-4)}`}</span>
        <CopyButton text={value} label={t(`copy.${what}`)} />
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
  const t = useTranslations('dashboard.collections.reveal')
  if (items === 0) return <p className="text-muted">{t('makeItems')}</p>
  if (unlocked > 0) return <p className="text-muted">{t('unlocked', { count: unlocked })}</p>
  return (
    <div>
      <ConfirmAction
        action={action}
        trigger={
          <Button variant="primary" icon={<Sparkles aria-hidden="true" className="size-4" />}>
            {t('action')}
          </Button>
        }
        title={t('ask', { name })}
        description={t('askText', { count: items })}
        confirm={t('yes')}
        tone="primary"
        type={name}
      />
    </div>
  )
}
