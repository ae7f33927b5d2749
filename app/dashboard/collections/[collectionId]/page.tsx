import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Link } from '@/components/ui/link'
import { Lock, Pencil, Plus, Rocket } from 'lucide-react'
import { ChainLink } from '@/components/ui/chain-link'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { DeploymentBadge } from '@/components/dashboard/collections/deployment-badge'
import { ExternalContract } from '@/components/dashboard/collections/external-contract'
import { hrefOf } from '@/components/dashboard/lists/href'
import { PerksCard } from '@/components/dashboard/perks/perks-card'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { RevealCard } from '@/components/dashboard/collections/reveal-card'
import { Steps } from '@/components/dashboard/forms/steps'
import { TokenBadge } from '@/components/dashboard/items/token-badge'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { FormField } from '@/components/dashboard/forms/action-form'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { titleOf } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { Sentence } from '@/components/ui/sentence'
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
import { deletePerkAction, updatePerkAction } from '../../perks/actions'
import { askContractAction, deleteCollectionAction, refreshMetadataAction, revealAction } from '../actions'
import { deploymentSteps } from '../deployment-steps'

type Props = PageProps<'/dashboard/collections/[collectionId]'>
export const generateMetadata = async ({ params }: Props): Promise<Metadata> => ({
  title: (await readCollection((await params).collectionId)).name,
})

/** Read once for the page and its metadata. */
const readCollection = cache(async (collectionId: string) =>
  orNotFound(collectionId, async (id) => getCollection(await dashboardContext(), id)),
)

export default async function CollectionPage({ params }: Props) {
  const [{ collectionId }, ctx, t, format] = await Promise.all([
    params,
    dashboardContext(),
    getTranslations('dashboard.collections'),
    getFormatter(),
  ])
  const collection = await readCollection(collectionId)
  const { deployment, royalty_info: royalty } = collection
  const [items, unlocked, perks, transaction] = await Promise.all([
    listItems(ctx, { attribute: [], limit: 8, collection_id: collection.id }),
    listItems(ctx, { attribute: [], limit: 1, collection_id: collection.id, locked: 'false' }),
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
      {t('page.newItem')}
    </LinkButton>
  )
  return (
    <>
      <Refresh everySeconds={deployment?.status === 'PENDING' && 2} />
      <PageHeader
        back={{ href: '/dashboard/collections', label: t('title') }}
        title={collection.name}
        badge={<DeploymentBadge status={deployment?.status ?? null} />}
        description={collection.description}
        actions={
          mayEdit && (
            <>
              <LinkButton href={`${here}/edit`} icon={<Pencil aria-hidden="true" className="size-4" />}>
                {t('edit')}
              </LinkButton>
              {deployable && (
                <LinkButton
                  href={`${here}/deploy`}
                  variant="primary"
                  icon={<Rocket aria-hidden="true" className="size-4" />}
                >
                  {t('deploy.action')}
                </LinkButton>
              )}
            </>
          )
        }
      />
      {deployment?.status === 'FAILED' && (
        <Alert tone="danger" title={t('page.failed')}>
          <span lang={deployment.failure ? 'en' : undefined}>{deployment.failure ?? t('page.rejected')}</span>{' '}
          <span>{t('page.nothingDeployed')}</span>
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card
          title={t('page.items')}
          description={
            items.total_results === 0
              ? undefined
              : t(unlocked.total_results > 0 ? 'page.inAllUnlocked' : 'page.inAll', {
                  count: format.number(items.total_results),
                  unlocked: format.number(unlocked.total_results),
                })
          }
          actions={
            items.total_results > 0 && (
              <>
                {mayMake && unlocked.total_results > 0 && (
                  <ConfirmAction
                    action={lockAllAction.bind(null, collection.id)}
                    draft="lock"
                    trigger={<Button icon={<Lock aria-hidden="true" className="size-4" />}>{t('page.lockAll')}</Button>}
                    title={t('page.lockTitle', { count: unlocked.total_results })}
                    description={t('page.lockText')}
                    confirm={t('page.lockYes')}
                    tone="primary"
                  >
                    {collection.token_type === 'ERC1155' && (
                      <FormField
                        name="max_supply"
                        label={t('page.unitsOfEach')}
                        hint={collection.max_supply === null ? t('page.unitsEmpty') : t('page.unitsNeeded')}
                      >
                        <Input name="max_supply" inputMode="numeric" />
                      </FormField>
                    )}
                  </ConfirmAction>
                )}
                {newItem}
              </>
            )
          }
        >
          {items.total_results === 0 ? (
            <EmptyState title={t('page.noItems')} action={newItem}>
              {t('page.noItemsText')}
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
                    {t('page.allItems', { count: items.total_results })}
                  </TextLink>
                </p>
              )}
            </>
          )}
        </Card>
        <div className="grid gap-6">
          <Card title={t('columns.contract')}>
            {!deployment ? (
              <div className="grid gap-4 text-sm text-muted">
                <p>{t('page.noContract')}</p>
                {deployable && <TextLink href={`${here}/deploy`}>{t('page.deployThis')}</TextLink>}
              </div>
            ) : (
              <div className="grid gap-4">
                {deployment.status === 'PENDING' && (
                  <Steps label={t('deployment')} steps={await deploymentSteps(transaction)} />
                )}
                <Facts>
                  <Fact name={t('columns.network')}>{network?.name ?? collection.network_id}</Fact>
                  <Fact name={t('page.address')}>
                    <ChainLink value={deployment.contract} kind="address" explorerUrl={network?.explorerUrl ?? null} />
                  </Fact>
                  {deployment.status === 'SUCCESS' && collection.is_public && (
                    <Fact name={t('page.publicPage')}>
                      <TextLink href={`/c/${collection.id}`}>{t('page.openIt')}</TextLink>
                    </Fact>
                  )}
                  <Fact name={t('columns.kind')}>
                    {collection.token_type === 'ERC1155' ? t('page.editions') : t('page.unique')}
                  </Fact>
                  {collection.symbol && <Fact name={t('deploy.symbol')}>{collection.symbol}</Fact>}
                  <Fact name={t('deploy.atMost')}>
                    {collection.max_supply === null ? t('deploy.noLimit') : format.number(collection.max_supply)}
                  </Fact>
                  <Fact name={t('page.transferable')}>
                    {collection.soulbound ? t('page.soulbound') : t('page.yes')}
                  </Fact>
                  <Fact name={t('deploy.tokenIds')}>
                    {collection.token_id_assignment_strategy === 'MANUAL' ? t('deploy.manual') : t('deploy.counted')}
                  </Fact>
                  {collection.owner && (
                    <Fact name={t('page.owner')}>
                      <ChainLink value={collection.owner} kind="address" explorerUrl={network?.explorerUrl ?? null} />
                    </Fact>
                  )}
                  {transaction && (
                    <Fact name={t('page.transaction')}>
                      <TextLink href={`/dashboard/transactions/${transaction.id}`}>{t('page.show')}</TextLink>
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
              refresh={mayEdit ? refreshMetadataAction.bind(null, collection.id) : null}
            />
          )}
          <PerksCard
            perks={perks}
            place={{ collection_id: collection.id }}
            deletion={may(ctx, 'items:write') ? (id) => deletePerkAction.bind(null, id) : null}
            change={(perkId) => updatePerkAction.bind(null, perkId)}
          />
          <Card title={t('page.about')}>
            <Facts>
              <Fact name={t('page.foundByAnyone')}>{collection.is_public ? t('page.yes') : t('page.private')}</Fact>
              <Fact name={t('page.afterMinting')}>
                {collection.editable_metadata ? t('page.mayChange') : t('page.neverChange')}
              </Fact>
              <Fact name={t('form.royalty')}>
                {royalty ? (
                  <span className="inline-flex flex-wrap items-center gap-x-2">
                    <Sentence>
                      {t.rich('page.royaltyTo', {
                        percent: royalty.amount_bps / 100,
                        receiver: () => <ChainLink value={royalty.receiver} kind="address" explorerUrl={null} />,
                      })}
                    </Sentence>
                  </span>
                ) : (
                  t('page.noRoyalty')
                )}
              </Fact>
              {collection.external_link && (
                <Fact name={t('form.webPage')}>
                  <TextLink href={collection.external_link} className="break-all">
                    {collection.external_link.replace(/^https:\/\//, '')}
                  </TextLink>
                </Fact>
              )}
              <Fact name={t('columns.created')}>
                <Time at={collection.created_at} />
              </Fact>
            </Facts>
            {mayEdit && !deployment && items.total_results === 0 && (
              <div className="mt-4 border-t pt-4">
                <ConfirmAction
                  action={deleteCollectionAction.bind(null, collection.id)}
                  trigger={
                    <Button size="sm" variant="danger">
                      {t('page.delete')}
                    </Button>
                  }
                  title={t('page.deleteTitle', { name: collection.name })}
                  description={t('page.deleteText')}
                  confirm={t('page.deleteYes')}
                />
              </div>
            )}
          </Card>
        </div>
      </div>
    </>
  )
}
