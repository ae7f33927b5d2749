import type { Tone } from '@/components/ui/badge'

// The API's values in the order of their selects. Their words are in the catalogues.

export const IMPORT_KINDS = ['ITEMS', 'EMAIL_CLAIMS'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]
export const IMPORT_STATES = ['JUDGED', 'RUNNING', 'COMPLETED', 'CANCELLED'] as const
export const VERDICTS = ['OK', 'DUPLICATE', 'INVALID'] as const
export const ROW_STATES = ['WAITING', 'DONE', 'FAILED', 'SKIPPED'] as const

export const VERDICT_TONES = {
  OK: 'positive',
  DUPLICATE: 'warning',
  INVALID: 'danger',
} as const satisfies Record<(typeof VERDICTS)[number], Tone>

/** Sample files: example lines, and the usual columns with the keys of what is said of them. */
export const SAMPLES = {
  ITEMS: {
    name: 'items.csv',
    text:
      'title,description,image_url,external_id,colour\r\n' +
      'Moonflower,Opens at nine.,https://example.com/moonflower.png,M-001,white\r\n' +
      'Night heron,"Stands still, mostly.",,M-002,grey\r\n',
    columns: [
      ['title', 'needed'],
      ['description', 'description'],
      ['image_url', 'image_url'],
      ['external_id', 'external_id'],
      ['token_id', 'token_id'],
      [null, 'other'],
    ],
  },
  EMAIL_CLAIMS: {
    name: 'claims.csv',
    text: 'email,item,quantity,expiration\r\nada@example.com,next,,\r\ngrace@example.com,7,,2027-12-31\r\n',
    columns: [
      ['email', 'needed'],
      ['item', 'item'],
      ['quantity', 'quantity'],
      ['expiration', 'expiration'],
      ['tx_payer', 'tx_payer'],
    ],
  },
} as const satisfies Record<ImportKind, unknown>
