import type { ErrorCode, ErrorHelp } from '../errors.ts'
import { ITEM_ERRORS } from './items.ts'
import { REQUEST_ERRORS } from './requests.ts'
import { SALE_ERRORS } from './sales.ts'
import { SETTING_ERRORS } from './settings.ts'

/** Every code’s help; the page and its tests are made from it. */
export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  ...REQUEST_ERRORS,
  ...SETTING_ERRORS,
  ...ITEM_ERRORS,
  ...SALE_ERRORS,
}
