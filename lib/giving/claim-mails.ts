import type { Campaign } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { mailPictureOf } from '../catalog/items/mail-picture-of.ts'
import { titleIn } from '../catalog/items/translations.ts'
import { PIN_MINUTES } from '../messaging/outbox/outbox.ts'
import { type NewMail, writeMail, writeMails } from '../messaging/outbox/write-mail.ts'
import { dayOf } from '../core/day.ts'
import { localeOf } from '../core/locales.ts'
import { type MailedOrganization, mailedOrganization } from '../organizations/organization-name.ts'
import { claimUrlOf } from './claim-token.ts'
import { campaignIdOf, type ClaimRow } from './read-claim.ts'
import { renewLink } from './renew-link.ts'

/** The fields of a claim that its mails are made of. */
type MailedClaim = Pick<ClaimRow, 'id' | 'email' | 'quantity' | 'expiresAt' | 'escrowId' | 'locale'> & {
  item: Parameters<typeof mailPictureOf>[0] & Parameters<typeof titleIn>[0]
  campaign: Pick<Campaign, 'id' | 'emailFrom' | 'locale'> | null
}

/** The fields of a claim that its link is made of. */
type LinkOf = Parameters<typeof claimUrlOf>[1] & Parameters<typeof renewLink>[1]

/** How a mail with a link came about. */
type LinkMail = {
  /** The mint failed permanently, and the recipient is asked to redeem again. */
  retry?: boolean
  /** Nobody asked for it, and what the chain or time has done must be entered whatever the organization's quota. */
  isFollowUp?: boolean
}

/** The mail with the link. */
export async function mailLink(tx: Context, claim: MailedClaim & LinkOf, how: LinkMail = {}): Promise<void> {
  await writeMail(tx, linkMailOf(tx, await mailedOrganization(tx), claim, await linkUrl(tx, claim), how))
}

/** The mail with the link, which the caller writes. */
export const linkMailOf = (
  ctx: Pick<Context, 'ports'>,
  organization: MailedOrganization,
  claim: MailedClaim,
  url: string,
  { retry = false, isFollowUp = retry }: LinkMail = {},
): NewMail<'REDEEM_NFT'> => ({
  templateType: 'REDEEM_NFT',
  ...addressOf(organization, claim),
  variables: {
    ...headOf(organization, claim),
    claim_url: url,
    quantity: claim.quantity > 1n ? claim.quantity.toString() : null,
    expires_on: claim.expiresAt && dayOf(claim.expiresAt, languageOf(organization, claim)),
    image_url: mailPictureOf(claim.item, ctx.ports.addresses.origin),
    retry: retry ? 'yes' : null,
    from_holder: claim.escrowId === null ? null : 'yes',
  },
  isFollowUp,
})

/** Mails the link once more before the claim expires. Does nothing for a claim that never expires. */
export async function mailReminder(tx: Context, claim: ClaimRow): Promise<void> {
  if (!claim.expiresAt) return
  const organization = await mailedOrganization(tx)
  const variables = {
    ...headOf(organization, claim),
    claim_url: await linkUrl(tx, claim),
    quantity: claim.quantity > 1n ? claim.quantity.toString() : null,
    expires_on: dayOf(claim.expiresAt, languageOf(organization, claim)),
    image_url: mailPictureOf(claim.item, tx.ports.addresses.origin),
  }
  await writeMail(tx, { templateType: 'CLAIM_REMINDER', ...addressOf(organization, claim), variables })
}

export async function mailPin(tx: Context, claim: ClaimRow, pin: string): Promise<void> {
  const organization = await mailedOrganization(tx)
  const variables = { ...headOf(organization, claim), pin, minutes: String(PIN_MINUTES) }
  await writeMail(tx, { templateType: 'CLAIM_PINCODE', ...addressOf(organization, claim), variables })
}

/** One mail for each of these claims, all of one organization, whose tokens have arrived. */
export async function mailDeliveries(
  tx: Context,
  arrivals: readonly { claim: ClaimRow; address: string; txHash: string }[],
): Promise<void> {
  const [first] = arrivals
  if (!first) return
  const organization = await mailedOrganization(tx)
  const urls = await linkUrls(
    tx,
    arrivals.map(({ claim }) => claim),
  )
  const orders = arrivals.map(({ claim, address, txHash }, at) => {
    const { networkId } = claim.item.collection
    const network = networkId === null ? undefined : tx.ports.chains.get(networkId)?.network
    const variables = {
      ...headOf(organization, claim),
      claim_url: urls[at]!,
      address,
      network_name: network?.name ?? `network ${networkId}`,
      explorer_url: network?.explorerUrl ? `${network.explorerUrl}/tx/${txHash}` : null,
      image_url: mailPictureOf(claim.item, tx.ports.addresses.origin),
    }
    const requestId = claim.mintRequests[0]?.requestId ?? undefined
    return { templateType: 'CLAIMED_NFT' as const, ...addressOf(organization, claim), variables, requestId }
  })
  await writeMails(tx, orders)
}

/**
 * The claim's link. Where it is void because its server key isn't listed any more, a new one takes its place: the mail
 * goes to the mailbox alone. Call it with the claim locked.
 */
async function linkUrl(tx: Context, claim: LinkOf): Promise<string> {
  const url = claimUrlOf(tx, claim)
  return url ?? claimUrlOf(tx, await renewLink(tx, claim))!
}

/** The links of these claims, in order. */
async function linkUrls(tx: Context, claims: readonly ClaimRow[]): Promise<string[]> {
  const urls: string[] = []
  for (const claim of claims) urls.push(await linkUrl(tx, claim))
  return urls
}

/**
 * The language of a claim's mails: the one that its recipient chose or its sender gave, else the campaign's, else the
 * organization's.
 */
const languageOf = (organization: MailedOrganization, { locale, campaign }: MailedClaim) =>
  localeOf(locale, campaign?.locale, organization.locale)

const addressOf = (organization: MailedOrganization, claim: MailedClaim) => ({
  to: claim.email,
  claimId: claim.id,
  campaignId: campaignIdOf(claim),
  locale: languageOf(organization, claim),
})

const headOf = (organization: MailedOrganization, claim: MailedClaim) => ({
  organization_name: organization.name,
  item_title: titleIn(claim.item, languageOf(organization, claim)),
  sender_name: claim.campaign?.emailFrom ?? null,
})
