import type { Tone } from '@/components/ui/badge'

export type ImportKind = 'ITEMS' | 'EMAIL_CLAIMS'

export const IMPORT_KINDS = [
  ['ITEMS', 'Items'],
  ['EMAIL_CLAIMS', 'Email claims'],
] as const satisfies readonly (readonly [ImportKind, string])[]
export const IMPORT_STATES = [
  ['JUDGED', 'To be started'],
  ['RUNNING', 'Running'],
  ['COMPLETED', 'Done'],
  ['CANCELLED', 'Cancelled'],
] as const
export const VERDICTS = [
  ['OK', 'Good'],
  ['DUPLICATE', 'Repeated'],
  ['INVALID', 'Wrong'],
] as const
export const ROW_STATES = [
  ['WAITING', 'Waiting'],
  ['DONE', 'Done'],
  ['FAILED', 'Failed'],
  ['SKIPPED', 'Left out'],
] as const

export const VERDICT_TONES: Record<string, Tone> = { OK: 'positive', DUPLICATE: 'warning', INVALID: 'danger' }

/** Sample files: the usual columns, with example lines. */
export const SAMPLES: Record<
  ImportKind,
  { name: string; text: string; columns: readonly (readonly [name: string, says: string])[] }
> = {
  ITEMS: {
    name: 'items.csv',
    text: 'title,description,image_url,external_id,colour\r\nMoonflower,Opens at nine.,https://example.com/moonflower.png,M-001,white\r\nNight heron,"Stands still, mostly.",,M-002,grey\r\n',
    columns: [
      ['title', 'needed'],
      ['description', 'any text'],
      ['image_url', 'an https address; we keep a copy'],
      ['external_id', 'your own name for it: the same one never comes in twice'],
      ['token_id', 'only where token ids are given by hand; locks the item'],
      ['anything else', 'an attribute by that name'],
    ],
  },
  EMAIL_CLAIMS: {
    name: 'claims.csv',
    text: 'email,item,quantity,expiration\r\nada@example.com,next,,\r\ngrace@example.com,7,,2027-12-31\r\n',
    columns: [
      ['email', 'needed'],
      ['item', 'its id, its token id, or next: whichever is free'],
      ['quantity', '1 unless given'],
      ['expiration', 'a day, such as 2027-12-31; 30 days unless given'],
      ['tx_payer', 'SELLER or BUYER, where lines differ'],
    ],
  },
}
