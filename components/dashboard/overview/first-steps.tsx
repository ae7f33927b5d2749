import type { ReactNode } from 'react'
import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TextLink } from '@/components/ui/text-link'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { AskingForm } from '../forms/asking-form'
import { ConfirmAction } from '../forms/confirm-action'
import { Steps } from '../forms/steps'
import type { Step } from '../forms/steps'
import { UploadField } from '../forms/upload-field'

type Props = {
  steps: {
    collection: { id: string; name: string; status: 'PENDING' | 'SUCCESS' | 'FAILED' | null } | null
    item: { id: string; title: string; isLocked: boolean } | null
    claim: { id: string; email: string; url: string | null } | null
  }
  networks: { id: number; name: string; testnet: boolean }[]
  /** The form of each step. */
  actions: { collection: FormAction; item: FormAction; lock: FormAction; claim: FormAction; hide: FormAction | null }
  /** The things that the installation still lacks. */
  children: ReactNode
}

/** How often the overview reloads, in seconds: while the contract is deployed, and until the gift is claimed. */
export const refreshOf = ({ collection, item, claim }: Props['steps']): number | false => {
  if (claim) return 4
  return item?.isLocked === true && collection?.status !== 'SUCCESS' && 2
}

/** The way from an empty organization to the first delivered gift: each step is done in place. */
export function FirstSteps({ steps: { collection, item, claim }, networks, actions, children }: Props) {
  const t = useTranslations('dashboard.overview.first')
  const isDeployed = collection?.status === 'SUCCESS'
  const isMade = item?.isLocked === true
  const path: { name: string; done: boolean; todo: ReactNode }[] = [
    {
      name: collection ? t('collectionDone', { name: collection.name }) : t('collection'),
      done: collection !== null && collection.status !== null && collection.status !== 'FAILED',
      todo: collection ? (
        <Deploy id={collection.id} />
      ) : (
        <CollectionStep action={actions.collection} networks={networks} />
      ),
    },
    {
      name: isMade ? t('itemDone', { title: item.title }) : t('item'),
      done: isMade,
      todo: item ? <Lock title={item.title} lock={actions.lock} /> : <ItemStep action={actions.item} />,
    },
    {
      name: claim ? t('sent', { email: claim.email }) : t('send'),
      done: claim !== null,
      todo: isDeployed ? <SendStep action={actions.claim} /> : <Waiting />,
    },
    { name: t('delivered'), done: false, todo: claim && <Delivery claim={claim} /> },
  ]
  const next = path.findIndex(({ done }) => !done)
  const shown = path.map(({ name, done, todo }, index): Step => {
    const isWaiting = (index === 2 && !isDeployed) || index === 3
    return {
      name,
      state: done ? 'done' : index === next && isWaiting ? 'now' : 'todo',
      note: index === next ? todo : null,
    }
  })
  return (
    <Card
      title={t('title')}
      description={t('lead')}
      actions={
        actions.hide && (
          <ActionForm action={actions.hide}>
            <Submit size="sm" variant="quiet">
              {t('dismiss')}
            </Submit>
          </ActionForm>
        )
      }
    >
      <div className="grid gap-6">
        <div className="contents">{children}</div>
        <Steps label={t('steps')} steps={shown} />
      </div>
    </Card>
  )
}

function CollectionStep({ action, networks }: { action: FormAction; networks: Props['networks'] }) {
  const t = useTranslations('dashboard.overview.first')
  const tCollections = useTranslations('dashboard.collections')
  if (networks.length === 0) return <p>{t('noNetwork')}</p>
  return (
    <AskingForm
      action={action}
      demanded="name"
      question={{
        title: t('askCollection'),
        description: tCollections('deploy.askText', { kind: tCollections('kinds.ERC721') }),
        confirm: t('create'),
        tone: 'primary',
      }}
      className="mt-1 max-w-xl text-base text-ink"
    >
      <FormField name="name" label={t('name')} hint={t('nameHint')} required>
        <Input name="name" autoComplete="off" placeholder={t('nameExample')} />
      </FormField>
      <FormField name="network_id" label={t('network')} hint={t('networkHint')} required>
        <Select name="network_id:number" defaultValue={networks[0]?.id}>
          {networks.map(({ id, name, testnet }) => (
            <option key={id} value={id}>
              {testnet ? t('testnet', { name }) : name}
            </option>
          ))}
        </Select>
      </FormField>
      <FormError name="deployment_request" />
      <div>
        <Submit>{t('create')}</Submit>
      </div>
    </AskingForm>
  )
}

function Deploy({ id }: { id: string }) {
  const t = useTranslations('dashboard.overview.first')
  return (
    <span className="grid justify-items-start gap-2.5">
      <span>{t('notDeployed')}</span>
      <LinkButton href={`/dashboard/collections/${id}/deploy`} size="sm" variant="primary">
        {t('deploy')}
      </LinkButton>
    </span>
  )
}

function ItemStep({ action }: { action: FormAction }) {
  const t = useTranslations('dashboard.overview.first')
  const tLock = useTranslations('dashboard.items.lock')
  return (
    <AskingForm
      action={action}
      demanded="attributes.title"
      question={{ title: t('askItem'), description: tLock('oneText'), confirm: t('createItem'), tone: 'primary' }}
      className="mt-1 max-w-xl text-base text-ink"
    >
      <FormField name="attributes.title" label={t('itemTitle')} required>
        <Input name="attributes.title" autoComplete="off" placeholder={t('itemTitleExample')} />
      </FormField>
      <FormField name="attributes.description" label={t('description')} optional>
        <Input name="attributes.description" autoComplete="off" />
      </FormField>
      <UploadField name="attributes.image_url" label={t('picture')} hint={t('pictureHint')} optional />
      <p className="text-sm text-muted">{t('itemLead')}</p>
      <div>
        <Submit>{t('createItem')}</Submit>
      </div>
    </AskingForm>
  )
}

function Lock({ title, lock }: { title: string; lock: FormAction }) {
  const t = useTranslations('dashboard.overview.first')
  const tLock = useTranslations('dashboard.items.lock')
  return (
    <span className="grid justify-items-start gap-2.5">
      <span>{t('lock', { title })}</span>
      <ConfirmAction
        action={lock}
        trigger={
          <Button size="sm" variant="primary">
            {t('lockIt')}
          </Button>
        }
        title={tLock('one', { title })}
        description={tLock('oneText')}
        confirm={tLock('oneYes')}
        tone="primary"
      />
    </span>
  )
}

function SendStep({ action }: { action: FormAction }) {
  const t = useTranslations('dashboard.overview.first')
  return (
    <ActionForm action={action} className="mt-1 max-w-xl text-base text-ink">
      <FormField name="email" label={t('email')} hint={t('emailHint')} required>
        <Input name="email" type="email" inputMode="email" autoComplete="off" placeholder="ada@example.com" />
      </FormField>
      <div>
        <Submit>{t('sendIt')}</Submit>
      </div>
    </ActionForm>
  )
}

function Waiting() {
  const t = useTranslations('dashboard.overview.first')
  return <span role="status">{t('waiting')}</span>
}

function Delivery({ claim }: { claim: { id: string; email: string; url: string | null } }) {
  const t = useTranslations('dashboard.overview.first')
  return (
    <span className="grid justify-items-start gap-2.5">
      <span>{t('delivery', { email: claim.email })}</span>
      <span className="flex flex-wrap gap-x-5 gap-y-1">
        {claim.url && <TextLink href={claim.url}>{t('openLink')}</TextLink>}
        <TextLink href={`/dashboard/claims/${claim.id}`}>{t('showClaim')}</TextLink>
      </span>
    </span>
  )
}
