import { request } from 'undici'
import { archiveOf } from '../../core/cid.ts'
import { acceptedTextOf, formOf } from './pinning-request.ts'
import { type Pinning, PinRefused } from './storage.ts'

/**
 * Pinata by version 3 of its API. The file is sent as a CAR of its blocks, so that Pinata stores it under exactly our
 * CID.
 */
export function pinataPinning({ jwt, url }: { jwt: string; url: string }): Pinning {
  return {
    async pin({ name, bytes }) {
      const car = { name: `${name}.car`, bytes: await archiveOf(bytes) }
      const { body, headers } = await formOf({ network: 'public', name, car: 'true', file: car })
      const response = await request(`${url.replace(/\/$/, '')}/v3/files`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${jwt}` },
        body,
      })
      const { data } = JSON.parse(await acceptedTextOf(response, 'Pinata')) as { data?: { cid?: string } }
      if (!data?.cid) throw new PinRefused('Pinata answers without a CID.')
      return data.cid
    },
  }
}
