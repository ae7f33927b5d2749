import type { ReactNode } from 'react'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TextLink } from '@/components/ui/text-link'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { Steps } from '../forms/steps'
import type { Step } from '../forms/steps'
import { UploadField } from '../forms/upload-field'
import { Refresh } from '../shell/refresh'

type Props = {
  steps: {
    collection: { id: string; name: string; status: 'PENDING' | 'SUCCESS' | 'FAILED' | null } | null
    item: { id: string; title: string; isLocked: boolean } | null
    claim: { id: string; email: string; url: string | null } | null
  }
  networks: { id: number; name: string; testnet: boolean }[]
  /** The form of each step. */
  actions: { collection: FormAction; item: FormAction; lock: FormAction; claim: FormAction; hide: FormAction | null }
  /** What the installation still lacks. */
  children: ReactNode
}

/** The way from an empty organization to the first delivered gift: each step is done in place. */
export function FirstSteps({ steps: { collection, item, claim }, networks, actions, children }: Props) {
  const isDeployed = collection?.status === 'SUCCESS'
  const isMade = item?.isLocked === true
  const path: { name: string; done: boolean; todo: ReactNode }[] = [
    {
      name: collection ? `The collection “${collection.name}”` : 'Create a collection',
      done: collection !== null && collection.status !== null && collection.status !== 'FAILED',
      todo: collection ? (
        <Deploy id={collection.id} />
      ) : (
        <CollectionStep action={actions.collection} networks={networks} />
      ),
    },
    {
      name: isMade ? `The item “${item.title}”` : 'Make an item',
      done: isMade,
      todo: item ? <Lock title={item.title} lock={actions.lock} /> : <ItemStep action={actions.item} />,
    },
    {
      name: claim ? `Sent to ${claim.email}` : 'Send it to an email address',
      done: claim !== null,
      todo: isDeployed ? <SendStep action={actions.claim} /> : <Waiting />,
    },
    { name: 'Delivered', done: false, todo: claim && <Delivery claim={claim} /> },
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
      title="Your first gift"
      description="Send your first item in four steps."
      actions={
        actions.hide && (
          <ActionForm action={actions.hide}>
            <Submit size="sm" variant="quiet">
              Dismiss
            </Submit>
          </ActionForm>
        )
      }
    >
      <div className="grid gap-6">
        {children}
        <Steps label="First steps" steps={shown} />
      </div>
    </Card>
  )
}

function CollectionStep({ action, networks }: { action: FormAction; networks: Props['networks'] }) {
  if (networks.length === 0) return <p>No network is ready yet; see above.</p>
  return (
    <ActionForm action={action} className="mt-1 max-w-xl text-base text-ink">
      <FormField name="name" label="Name" hint="Its items share one contract, which is deployed now." required>
        <Input name="name" autoComplete="off" placeholder="River birds" />
      </FormField>
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
      <FormError name="deployment_request" />
      <div>
        <Submit>Create the collection</Submit>
      </div>
    </ActionForm>
  )
}

function Deploy({ id }: { id: string }) {
  return (
    <span className="grid justify-items-start gap-2.5">
      Its contract isn’t on a network yet.
      <LinkButton href={`/dashboard/collections/${id}/deploy`} size="sm" variant="primary">
        Deploy it
      </LinkButton>
    </span>
  )
}

function ItemStep({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action} className="mt-1 max-w-xl text-base text-ink">
      <FormField name="attributes.title" label="Title" required>
        <Input name="attributes.title" autoComplete="off" placeholder="The night heron" />
      </FormField>
      <FormField name="attributes.description" label="Description" optional>
        <Input name="attributes.description" autoComplete="off" />
      </FormField>
      <UploadField name="attributes.image_url" label="Picture" hint="Without one, a pattern is drawn." optional />
      <p className="text-sm text-muted">
        One unit is created. Check the details: an item can’t change once it can be sent.
      </p>
      <div>
        <Submit>Create the item</Submit>
      </div>
    </ActionForm>
  )
}

function Lock({ title, lock }: { title: string; lock: FormAction }) {
  return (
    <ActionForm action={lock} className="justify-items-start gap-2.5">
      <p>“{title}” can be sent once its contents are fixed.</p>
      <Submit size="sm">Fix its contents</Submit>
    </ActionForm>
  )
}

function SendStep({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action} className="mt-1 max-w-xl text-base text-ink">
      <FormField
        name="email"
        label="Email"
        hint="The recipient can claim the item with this email; try it with your own address. No wallet is needed."
        required
      >
        <Input name="email" type="email" inputMode="email" autoComplete="off" placeholder="ada@example.com" />
      </FormField>
      <div>
        <Submit>Send it</Submit>
      </div>
    </ActionForm>
  )
}

function Waiting() {
  return (
    <span role="status">
      The contract is being put on the network, which takes some seconds.
      <Refresh />
    </span>
  )
}

function Delivery({ claim }: { claim: { id: string; email: string; url: string | null } }) {
  return (
    <span className="grid justify-items-start gap-2.5">
      <span>
        {claim.email} opens the mail’s link and types the PIN that comes by a second mail; then the item is delivered.
        This list disappears when you are done.
      </span>
      <span className="flex flex-wrap gap-x-5 gap-y-1">
        {claim.url && <TextLink href={claim.url}>Open the link yourself</TextLink>}
        <TextLink href={`/dashboard/claims/${claim.id}`}>Show the claim</TextLink>
      </span>
      <Refresh everySeconds={4} />
    </span>
  )
}
