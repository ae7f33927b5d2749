import { headers } from 'next/headers'
import { REQUEST_ID_HEADER, requestIdFrom } from '../http/request-id.ts'

/** The id of the request that a page, or an action of one, answers. */
export const pageRequestId = async (): Promise<string> => requestIdFrom((await headers()).get(REQUEST_ID_HEADER))
