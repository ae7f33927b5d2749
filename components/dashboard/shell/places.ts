import type { Messages } from 'next-intl'
import {
  Blocks,
  Camera,
  CreditCard,
  FileSpreadsheet,
  Frame,
  House,
  Image,
  KeyRound,
  LayoutGrid,
  Mail,
  Megaphone,
  ScrollText,
  Settings,
  Shapes,
  ShoppingBag,
  Stamp,
  Tag,
  Users,
  Webhook,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { Permission } from '@/lib/platform/api/permissions'

type Texts = Messages['dashboard']['shell']

/** A page of the navigation, by the key of its name. `g` and then `key` opens it. */
export type Place = { href: string; name: keyof Texts['places']; Icon: LucideIcon; key?: string }

/** The navigation, in the order of the work. */
export const PLACES: { title: keyof Texts['groups'] | null; entries: Place[] }[] = [
  { title: null, entries: [{ href: '/dashboard', name: 'overview', Icon: House, key: 'o' }] },
  {
    title: 'make',
    entries: [
      { href: '/dashboard/collections', name: 'collections', Icon: LayoutGrid, key: 'c' },
      { href: '/dashboard/items', name: 'items', Icon: Frame, key: 'i' },
      { href: '/dashboard/item-types', name: 'itemTypes', Icon: Shapes },
      { href: '/dashboard/media', name: 'media', Icon: Image },
    ],
  },
  {
    title: 'sell',
    entries: [
      { href: '/dashboard/listings', name: 'listings', Icon: Tag, key: 'l' },
      { href: '/dashboard/purchases', name: 'purchases', Icon: ShoppingBag, key: 'p' },
      { href: '/dashboard/payments', name: 'payments', Icon: CreditCard },
      { href: '/dashboard/snapshots', name: 'snapshots', Icon: Camera },
    ],
  },
  {
    title: 'give',
    entries: [
      { href: '/dashboard/claims', name: 'claims', Icon: Mail, key: 'e' },
      { href: '/dashboard/campaigns', name: 'campaigns', Icon: Megaphone },
      { href: '/dashboard/imports', name: 'imports', Icon: FileSpreadsheet },
    ],
  },
  {
    title: 'deliver',
    entries: [
      { href: '/dashboard/mint-requests', name: 'mintRequests', Icon: Stamp },
      { href: '/dashboard/transactions', name: 'transactions', Icon: Blocks, key: 't' },
    ],
  },
  {
    title: 'organization',
    entries: [
      { href: '/dashboard/members', name: 'members', Icon: Users, key: 'm' },
      { href: '/dashboard/api-keys', name: 'apiKeys', Icon: KeyRound },
      { href: '/dashboard/webhooks', name: 'webhooks', Icon: Webhook, key: 'w' },
      { href: '/dashboard/audit', name: 'audit', Icon: ScrollText, key: 'a' },
      { href: '/dashboard/settings', name: 'settings', Icon: Settings, key: 's' },
    ],
  },
]

export type Action = { href: string; name: keyof Texts['actions']; permission: Permission }

/** Actions that the search offers on every page. */
export const ACTIONS: Action[] = [
  { href: '/dashboard/claims/new', name: 'send', permission: 'email_claims:write' },
  { href: '/dashboard/listings/new', name: 'listing', permission: 'listings:write' },
  { href: '/dashboard/items/new', name: 'item', permission: 'items:write' },
  { href: '/dashboard/collections/new', name: 'collection', permission: 'collections:write' },
  { href: '/dashboard/collections/connect', name: 'connect', permission: 'collections:write' },
  { href: '/dashboard/imports/new', name: 'import', permission: 'imports:write' },
  { href: '/dashboard/campaigns/new', name: 'campaign', permission: 'campaigns:write' },
  { href: '/dashboard/mint-requests/new', name: 'mint', permission: 'mint_requests:write' },
  { href: '/dashboard/snapshots/new', name: 'snapshot', permission: 'snapshots:write' },
  { href: '/dashboard/media', name: 'media', permission: 'media:write' },
  { href: '/dashboard/item-types/new', name: 'itemType', permission: 'item_types:write' },
  { href: '/dashboard/webhooks/new', name: 'webhook', permission: 'webhooks:write' },
  { href: '/dashboard/members', name: 'invite', permission: 'members:write' },
  { href: '/dashboard/api-keys/new', name: 'apiKey', permission: 'api_keys:write' },
]

/** Every word typed must begin a word of the label. */
export function fits(label: string, typed: string): boolean {
  const words = label.toLowerCase().split(/[\s-]+/)
  return typed
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean)
    .every((start) => words.some((word) => word.startsWith(start)))
}
