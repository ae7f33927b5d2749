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

/** A page of the navigation. `g` and then `key` opens it. */
export type Place = { href: string; label: string; Icon: LucideIcon; key?: string }

/** The navigation, in the order of the work. */
export const PLACES: { title: string | null; entries: Place[] }[] = [
  { title: null, entries: [{ href: '/dashboard', label: 'Overview', Icon: House, key: 'o' }] },
  {
    title: 'Make',
    entries: [
      { href: '/dashboard/collections', label: 'Collections', Icon: LayoutGrid, key: 'c' },
      { href: '/dashboard/items', label: 'Items', Icon: Frame, key: 'i' },
      { href: '/dashboard/item-types', label: 'Item types', Icon: Shapes },
      { href: '/dashboard/media', label: 'Media', Icon: Image },
    ],
  },
  {
    title: 'Sell',
    entries: [
      { href: '/dashboard/listings', label: 'Listings', Icon: Tag, key: 'l' },
      { href: '/dashboard/purchases', label: 'Purchases', Icon: ShoppingBag, key: 'p' },
      { href: '/dashboard/payments', label: 'Payments', Icon: CreditCard },
      { href: '/dashboard/snapshots', label: 'Snapshots', Icon: Camera },
    ],
  },
  {
    title: 'Give',
    entries: [
      { href: '/dashboard/claims', label: 'Email claims', Icon: Mail, key: 'e' },
      { href: '/dashboard/campaigns', label: 'Campaigns', Icon: Megaphone },
      { href: '/dashboard/imports', label: 'Imports and exports', Icon: FileSpreadsheet },
    ],
  },
  {
    title: 'Deliver',
    entries: [
      { href: '/dashboard/mint-requests', label: 'Mint requests', Icon: Stamp },
      { href: '/dashboard/transactions', label: 'Transactions', Icon: Blocks, key: 't' },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { href: '/dashboard/members', label: 'Members', Icon: Users, key: 'm' },
      { href: '/dashboard/api-keys', label: 'API keys', Icon: KeyRound },
      { href: '/dashboard/webhooks', label: 'Webhooks', Icon: Webhook, key: 'w' },
      { href: '/dashboard/audit', label: 'Audit log', Icon: ScrollText, key: 'a' },
      { href: '/dashboard/settings', label: 'Settings', Icon: Settings, key: 's' },
    ],
  },
]

export type Action = { href: string; label: string; permission: Permission }

/** Actions that the search offers on every page. */
export const ACTIONS: Action[] = [
  { href: '/dashboard/claims/new', label: 'Send an item', permission: 'email_claims:write' },
  { href: '/dashboard/listings/new', label: 'New listing', permission: 'listings:write' },
  { href: '/dashboard/items/new', label: 'New item', permission: 'items:write' },
  { href: '/dashboard/collections/new', label: 'New collection', permission: 'collections:write' },
  { href: '/dashboard/collections/connect', label: 'Connect a contract', permission: 'collections:write' },
  { href: '/dashboard/imports/new', label: 'Import from a file', permission: 'imports:write' },
  { href: '/dashboard/campaigns/new', label: 'New campaign', permission: 'campaigns:write' },
  { href: '/dashboard/mint-requests/new', label: 'Mint to an address', permission: 'mint_requests:write' },
  { href: '/dashboard/snapshots/new', label: 'New snapshot', permission: 'snapshots:write' },
  { href: '/dashboard/media', label: 'Upload media', permission: 'media:write' },
  { href: '/dashboard/item-types/new', label: 'New item type', permission: 'item_types:write' },
  { href: '/dashboard/webhooks/new', label: 'New webhook', permission: 'webhooks:write' },
  { href: '/dashboard/members', label: 'Invite a member', permission: 'members:write' },
  { href: '/dashboard/api-keys/new', label: 'New API key', permission: 'api_keys:write' },
]

/** Every word typed must begin a word of the label. */
export function fits(label: string, typed: string): boolean {
  const words = label.toLowerCase().split(/\s+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((start) => words.some((word) => word.startsWith(start)))
}
