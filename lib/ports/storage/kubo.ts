import { request } from 'undici'
import { CHUNK_BYTES } from '../../core/cid.ts'
import { acceptedTextOf, formOf } from './pinning-request.ts'
import { type Pinning, PinRefused } from './storage.ts'

/** A Kubo node by its RPC API. All layout options are given, so that the node's own settings can't change the CID. */
export function kuboPinning(url: string): Pinning {
  const options = new URLSearchParams({
    'cid-version': '1',
    'raw-leaves': 'true',
    hash: 'sha2-256',
    chunker: `size-${CHUNK_BYTES}`,
    pin: 'true',
    'wrap-with-directory': 'false',
    quieter: 'true',
  })
  return {
    async pin({ name, bytes }) {
      const { body, headers } = await formOf({ file: { name, bytes } })
      const response = await request(`${url.replace(/\/$/, '')}/api/v0/add?${options}`, {
        method: 'POST',
        headers,
        body,
      })
      const text = await acceptedTextOf(response, 'The Kubo node')
      // The answer is a line of JSON for each step; the last line is the file.
      const last = text.trim().split('\n').at(-1) ?? ''
      const cid = (JSON.parse(last) as { Hash?: string }).Hash
      if (!cid) throw new PinRefused('The Kubo node answers without a CID.')
      return cid
    },
  }
}
