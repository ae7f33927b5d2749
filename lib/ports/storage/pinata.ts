import { request } from 'undici'
import { archiveOf } from '../../core/cid.ts'
import { acceptedTextOf, formOf } from './pinning-request.ts'
import { type Pinning, PinRefused } from './storage.ts'

/** Pinata, by version 3 of its API. It gets the file as an archive of its blocks, so that it keeps exactly our CID and cuts nothing anew. */
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
