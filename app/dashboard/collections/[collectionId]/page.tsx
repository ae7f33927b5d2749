import type { Metadata } from 'next'
import { cache } from 'react'
import Link from 'next/link'
import { Lock, Pencil, Plus, Rocket } from 'lucide-react'
import { ChainLink } from '@/components/ui/chain-link'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { DeploymentBadge } from '@/components/dashboard/collections/deployment-badge'
import { ExternalContract } from '@/components/dashboard/collections/external-contract'
import { hrefOf } from '@/components/dashboard/lists/href'
import { PerksCard } from '@/components/dashboard/perks/perks-card'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { RevealCard } from '@/components/dashboard/collections/reveal-card'
import { type Step, Steps } from '@/components/dashboard/forms/steps'
import { TokenBadge } from '@/components/dashboard/items/token-badge'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture, titleOf } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { listItems } from '@/lib/catalog/items/list-items'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { operatorAddress } from '@/lib/offers/networks/operator-address'
import { perksOf } from '@/lib/onchain/perks/perks-of'
import { getTransaction } from '@/lib/onchain/transactions/get-transaction'
import { lockAllAction } from '../../items/actions'
import { deletePerkAction } from '../../perks/actions'
import { askContractAction, deleteCollectionAction, revealAction } from '../actions'

export async function generateMetadata({
  params,
}: PageProps<'/dashboard/collections/[collectionId]'>): Promise<Metadata> {
  return { title: (await readCollection((await params).collectionId)).name }
}

/** Read once for the page and its metadata. */
const readCollection = cache(async (collectionId: string) => {
  const ctx = await dashboardContext()
  return orNotFound(collectionId, (id) => getCollection(ctx, id))
})

export default async function CollectionPage({ params }: PageProps<'/dashboard/collections/[collectionId]'>) {
  const { collectionId } = await params
  const ctx = await dashboardContext()
  const collection = await readCollection(collectionId)
  const { deployment } = collection
  const none = { attribute: [] }
  const [items, unlocked, perks, transaction] = await Promise.all([
    listItems(ctx, { ...none, limit: 8, collection_id: collection.id }),
    listItems(ctx, { ...none, limit: 1, collection_id: collection.id, locked: 'false' }),
    may(ctx, 'items:read') ? perksOf(ctx, { itemId: null, collectionId: collection.id }) : [],
    deployment?.transaction_id ? getTransaction(ctx, deployment.transaction_id) : null,
  ])
  const network = networkFacts(ctx).find(({ id }) => id === collection.network_id)
  const here = `/dashboard/collections/${collection.id}`
  const [mayEdit, mayMake] = [may(ctx, 'collections:write'), may(ctx, 'items:write')]
  const deployable = mayEdit && (!deployment || deployment.status === 'FAILED')
  const newItem = mayMake && (
    <LinkButton
      href={hrefOf('/dashboard/items/new', { collection_id: collection.id })}
      icon={<Plus aria-hidden="true" className="size-4" />}
    >
      New item
    </LinkButton>
  )
  return (
    <>
      {deployment?.status === 'PENDING' && <Refresh />}
      <PageHeader
        back={{ href: '/dashboard/collections', label: 'Collections' }}
        title={collection.name}
        badge={<DeploymentBadge status={deployment?.status ?? null} />}
        description={collection.description}
        actions={
          mayEdit && (
            <>
              <LinkButton href={`${here}/edit`} icon={<Pencil aria-hidden="true" className="size-4" />}>
                Edit
              </LinkButton>
              {deployable && (
                <LinkButton
                  href={`${here}/deploy`}
                  variant="primary"
                  icon={<Rocket aria-hidden="true" className="size-4" />}
                >
                  Deploy
                </LinkButton>
              )}
            </>
          )
        }
      />
      {deployment?.status === 'FAILED' && (
        <Alert tone="danger" title="The deployment failed.">
          {deployment.failure ?? 'The network rejected it.'} Nothing was deployed; you can ask for it again.
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card
          title="Items"
          description={
            items.total_results === 0
              ? undefined
              : `${items.total_results} in all${unlocked.total_results > 0 ? `, ${unlocked.total_results} of them not locked yet` : ''}`
          }
          actions={
            items.total_results > 0 && (
              <>
                {mayMake && unlocked.total_results > 0 && (
                  <ConfirmAction
                    action={lockAllAction.bind(null, collection.id)}
                    trigger={<Button icon={<Lock aria-hidden="true" className="size-4" />}>Lock all</Button>}
                    title={`Lock ${unlocked.total_results === 1 ? 'the item that is left' : `the ${unlocked.total_results} items that are left`}?`}
                    description="Locking assigns token ids and fixes the number of units. It can’t be undone. Only locked items can be sent and minted."
                    confirm="Lock them"
                    tone="primary"
                  >
                    {collection.token_type === 'ERC1155' && (
                      <Field
                        label="Units of each"
                        hint={
                          collection.max_supply === null
                            ? 'Left empty, there is no limit.'
                            : 'The collection has a limit, so each item needs one.'
                        }
                      >
                        <Input name="max_supply" inputMode="numeric" />
                      </Field>
                    )}
                  </ConfirmAction>
                )}
                {newItem}
              </>
            )
          }
        >
          {items.total_results === 0 ? (
            <EmptyState title="No items yet" action={newItem}>
              An item has a title, a picture and any attributes you like. Create items, lock them, then send or sell
              them.
            </EmptyState>
          ) : (
            <>
              <ul className="grid grid-cols-2 gap-4 sm:grid-cols-4">
                {items.results.map((item) => (
                  <li key={item.id}>
                    <Link href={`/dashboard/items/${item.id}`} className="group grid gap-2 rounded-md">
                      <span className="block overflow-hidden rounded-md border bg-well">
                        <ItemPicture
                          item={item}
                          size="thumb"
                          className="w-full transition-transform duration-300 group-hover:scale-[1.03]"
                        />
                      </span>
                      <span className="grid justify-items-start gap-1">
                        <span className="line-clamp-2 text-sm font-medium wrap-anywhere">{titleOf(item)}</span>
                        <TokenBadge item={item} />
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              {items.total_results > items.results.length && (
                <p className="mt-5 text-sm">
                  <TextLink href={hrefOf('/dashboard/items', { collection_id: collection.id })}>
                    All {items.total_results} items
                  </TextLink>
                </p>
              )}
            </>
          )}
        </Card>
        <div className="grid gap-6">
          <Card title="Contract">
            {!deployment ? (
              <div className="grid gap-4 text-sm text-muted">
                <p>
                  There is no contract yet. You can create and lock items before you deploy; to send or mint them you
                  need the contract.
                </p>
                {deployable && <TextLink href={`${here}/deploy`}>Deploy this collection</TextLink>}
              </div>
            ) : (
              <div className="grid gap-4">
                {deployment.status === 'PENDING' && <Steps label="Deployment" steps={deploymentSteps(transaction)} />}
                <Facts>
                  <Fact name="Network">{network?.name ?? collection.network_id}</Fact>
                  <Fact name="Address">
                    <ChainLink value={deployment.contract} kind="address" explorerUrl={network?.explorerUrl ?? null} />
                  </Fact>
                  {deployment.status === 'SUCCESS' && collection.is_public && (
                    <Fact name="Public page">
                      <TextLink href={`/c/${collection.id}`}>Open it</TextLink>
                    </Fact>
                  )}
                  <Fact name="Kind">
                    {collection.token_type === 'ERC1155' ? 'Editions (ERC-1155)' : 'Unique items (ERC-721)'}
                  </Fact>
                  {collection.symbol && <Fact name="Symbol">{collection.symbol}</Fact>}
                  <Fact name="At most">
                    {collection.max_supply === null ? 'No limit' : collection.max_supply.toLocaleString('en')}
                  </Fact>
                  <Fact name="Transferable">{collection.soulbound ? 'No, they can’t be transferred' : 'Yes'}</Fact>
                  <Fact name="Token ids">
                    {collection.token_id_assignment_strategy === 'MANUAL' ? 'Given by you' : 'Counted'}
                  </Fact>
                  {collection.owner && (
                    <Fact name="Owner">
                      <ChainLink value={collection.owner} kind="address" explorerUrl={network?.explorerUrl ?? null} />
                    </Fact>
                  )}
                  {transaction && (
                    <Fact name="Transaction">
                      <TextLink href={`/dashboard/transactions/${transaction.id}`}>Show</TextLink>
                    </Fact>
                  )}
                </Facts>
              </div>
            )}
          </Card>
          {collection.reveal && (
            <RevealCard
              reveal={collection.reveal}
              name={collection.name}
              items={items.total_results}
              unlocked={unlocked.total_results}
              action={mayEdit ? revealAction.bind(null, collection.id) : null}
            />
          )}
          {deployment?.type === 'EXTERNAL' && deployment.status === 'SUCCESS' && (
            <ExternalContract
              mayMint={collection.capabilities.includes('ADMIN_MINT_SINGLE')}
              operator={operatorAddress(ctx)}
              action={
                mayEdit
                  ? askContractAction.bind(null, collection.id, {
                      network_id: deployment.network_id,
                      address: deployment.contract,
                      token_type: collection.token_type!,
                    })
                  : null
              }
            />
          )}
          <PerksCard
            perks={perks}
            place={{ collection_id: collection.id }}
            deletion={may(ctx, 'items:write') ? (id) => deletePerkAction.bind(null, id) : null}
          />
          <Card title="About">
            <Facts>
              <Fact name="Found by anyone">{collection.is_public ? 'Yes' : 'No, private'}</Fact>
              <Fact name="After minting">
                {collection.editable_metadata ? 'Attributes may change' : 'Attributes never change'}
              </Fact>
              <Fact name="Royalty">
                {collection.royalty_info ? (
                  <span className="inline-flex flex-wrap items-center gap-x-2">
                    {collection.royalty_info.amount_bps / 100} % to{' '}
                    <ChainLink value={collection.royalty_info.receiver} kind="address" explorerUrl={null} />
                  </span>
                ) : (
                  'None'
                )}
              </Fact>
              {collection.external_link && (
                <Fact name="Web page">
                  <TextLink href={collection.external_link} className="break-all">
                    {collection.external_link.replace(/^https:\/\//, '')}
                  </TextLink>
                </Fact>
              )}
              <Fact name="Created">
                <Time at={collection.created_at} />
              </Fact>
            </Facts>
            {mayEdit && !deployment && items.total_results === 0 && (
              <div className="mt-4 border-t pt-4">
                <ConfirmAction
                  action={deleteCollectionAction.bind(null, collection.id)}
                  trigger={
                    <Button size="sm" variant="danger">
                      Delete
                    </Button>
                  }
                  title={`Delete “${collection.name}”?`}
                  description="It has no items and no contract, so nothing else is deleted with it."
                  confirm="Delete the collection"
                />
              </div>
            )}
          </Card>
        </div>
      </div>
    </>
  )
}

type DeploymentTransaction = Awaited<ReturnType<typeof getTransaction>> | null

function deploymentSteps(transaction: DeploymentTransaction): Step[] {
  const sent = transaction !== null && transaction.state !== 'PENDING'
  return [
    { name: 'Asked for', state: 'done', at: transaction?.created_at ?? null },
    { name: 'Sent to the network', state: sent ? 'done' : 'now', at: transaction?.submitted_at ?? null },
    { name: 'Confirmed', state: sent ? 'now' : 'todo', note: sent ? 'Waiting for its block.' : null },
  ]
}
