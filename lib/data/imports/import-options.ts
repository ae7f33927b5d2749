import type { Import } from '../../../generated/prisma/client.ts'
import type { Column } from './columns.ts'

/** The options of an import, stored as JSON in its row; they apply to all lines. */
export type ImportOptions = {
  collection_id: string | null
  item_id: string | null
  item_type_id: string | null
  campaign_id: string | null
  tx_payer: 'SELLER' | 'BUYER' | null
  /** Columns that fill nothing, as somebody said. */
  ignore_columns: string[]
  columns: Column[]
}

const NONE: ImportOptions = {
  collection_id: null,
  item_id: null,
  item_type_id: null,
  campaign_id: null,
  tx_payer: null,
  ignore_columns: [],
  columns: [],
}

export const optionsOf = ({ options }: Pick<Import, 'options'>): ImportOptions => ({
  ...NONE,
  ...(options as Partial<ImportOptions>),
})
export const withDefaultOptions = (options: Partial<ImportOptions>): ImportOptions => ({ ...NONE, ...options })
