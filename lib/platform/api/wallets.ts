import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, count, int32, optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { collection } from './collection-record.ts'
import { endpoint, noContent } from './endpoint.ts'
import { historyEntry } from './history.ts'
import { publicItem } from './items.ts'
import { signature } from './purchases.ts'

const area = 'Wallets'
const params = z.object({ eth_address: address })
const itemParams = params.extend({ item_id: uuid })
const proof = safeString
  .nullish()
  .describe('What proveWallet gave. With it, items of private collections are shown too; without it, only public ones.')

export const walletItem = publicItem
  .extend({
    organization_id: uuid,
    collection_name: z.string(),
    is_public: z.boolean(),
    quantity: count.describe('How many units of it the address owns.'),
  })
  .meta({ id: 'WalletItem' })

export const challengeWallet = endpoint({
  id: 'challenge-wallet',
  method: 'POST',
  path: '/public/v1/wallets/{eth_address}/challenge',
  area,
  auth: 'anonymous',
  summary: 'Get a text by which a wallet proves that it is here',
  description:
    'The wallet signs it as a message (EIP-191; the text has the form of EIP-4361). It moves nothing. ' +
    'It is good for ten minutes, for this address.',
  params,
  body: z.strictObject({
    network_id: optional(int32).describe(
      'The network on which the address is a wallet that is a contract (ERC-1271). Others need none.',
    ),
  }),
  response: z
    .object({
      message: z.string().describe('The text to sign, as `personal_sign` and libraries take it.'),
      challenge: z.string().describe('Sent back beside the signature.'),
      expires_at: timestamp,
    })
    .meta({ id: 'WalletChallenge' }),
  errors: ['not_found'],
  example: {},
})

export const proveWallet = endpoint({
  id: 'prove-wallet',
  method: 'POST',
  path: '/public/v1/wallets/{eth_address}/proof',
  area,
  auth: 'anonymous',
  summary: 'Prove that a wallet is here',
  description:
    'Gives a proof to whoever signed a challenge. ' +
    'For an hour, lists of what the address owns take it and show items of private collections too; ' +
    'of a wallet that is a contract, those on its network. With it a holder also opens what comes with an item ' +
    '(`POST /public/v1/wallets/{eth_address}/items/{item_id}/perks`). It permits nothing else.',
  params,
  body: z.strictObject({
    challenge: safeString.describe('Of the text that was signed.'),
    signature: signature.describe('Of the text.'),
  }),
  response: z
    .object({ proof: z.string().describe('Sent as `proof` with each list.'), expires_at: timestamp })
    .meta({ id: 'WalletProof' }),
  errors: ['signature_invalid'],
  example: { challenge: '1793534400000.0.ZXhhbXBsZQ.c2lnbmF0dXJl', signature: `0x${'ab'.repeat(65)}` },
})

export const listWalletItems = endpoint({
  id: 'list-wallet-items',
  method: 'GET',
  path: '/public/v1/wallets/{eth_address}/items',
  area,
  auth: 'anonymous',
  summary: 'List what an address owns',
  description:
    'Items of every collection of this installation, contracts of others that are indexed here included, ' +
    'newest items first. Private collections only with a proof.',
  params,
  query: pageQuery().extend({ proof }),
  response: pageOf(walletItem).extend({
    late_networks: z
      .array(z.int())
      .describe(
        'Networks of which the latest blocks aren’t entered yet: what arrived or left there since isn’t shown.',
      ),
  }),
  errors: ['signature_invalid'],
})

export const getWalletItem = endpoint({
  id: 'get-wallet-item',
  method: 'GET',
  path: '/public/v1/wallets/{eth_address}/items/{item_id}',
  area,
  auth: 'anonymous',
  summary: 'Get an item that an address owns',
  description: 'The item with its collection and who made it. 404 once the address owns no unit of it.',
  params: itemParams,
  query: z.object({ proof }),
  response: walletItem
    .extend({
      perks: z.int().describe('How many perks come with it. Without a proof, those that are public.'),
      collection: collection.describe('The collection that it belongs to.'),
      organization: z.object({
        id: uuid,
        name: z.string(),
        domain: z.string().nullable().describe('A domain whose owner says that it is this organization’s; else null.'),
      }),
    })
    .meta({ id: 'WalletItemInFull' }),
  errors: ['signature_invalid'],
})

export const listWalletItemHistory = endpoint({
  id: 'list-wallet-item-history',
  method: 'GET',
  path: '/public/v1/wallets/{eth_address}/items/{item_id}/history',
  area,
  auth: 'anonymous',
  summary: 'List the history of an item that an address owns',
  description:
    'Mints, transfers and burns as indexed from the chain, newest first. A reorg may remove the latest entries again.',
  params: itemParams,
  query: pageQuery().extend({ proof }),
  response: pageOf(historyEntry),
  errors: ['signature_invalid'],
})

/** 32 bytes and 60 bytes in base64url. */
const copyId = z.string().regex(/^[\w-]{43}$/, 'A copy’s id is 32 bytes in base64url.')
const sealed = z.string().regex(/^[\w-]{80}$/, 'A copy is 60 bytes in base64url.')

export const saveWalletCopy = endpoint({
  id: 'save-wallet-copy',
  method: 'POST',
  path: '/public/v1/wallets/{eth_address}/copies',
  area,
  auth: 'anonymous',
  summary: 'Keep a wallet’s key, sealed by a passkey',
  description:
    'For the wallet’s own page: a passkey that is added to a wallet seals its key, and the server keeps what ' +
    'nobody but that passkey can open. At most ten for a wallet, and only once it has received something here. ' +
    'The same id again takes the place of the earlier copy.',
  params,
  body: z.strictObject({
    proof: safeString.describe('What proveWallet gave.'),
    copy_id: copyId.describe('Derived by the passkey: 32 bytes in base64url.'),
    sealed: sealed.describe('The sealed key: 60 bytes in base64url.'),
  }),
  response: noContent,
  status: 204,
  errors: ['signature_invalid', 'conflict'],
  example: { proof: '1795180200000.0.QmVmb3JlIG5pbmU', copy_id: 'QmVm'.repeat(11).slice(1), sealed: 'QmVm'.repeat(20) },
})

export const listWalletCopies = endpoint({
  id: 'list-wallet-copies',
  method: 'GET',
  path: '/public/v1/wallets/{eth_address}/copies',
  area,
  auth: 'anonymous',
  summary: 'List the passkeys that were added to a wallet',
  description:
    'For the wallet’s own page: the copies of its key, the first added first, without what is sealed in them.',
  params,
  query: z.object({ proof: safeString.describe('What proveWallet gave.') }),
  response: z
    .object({
      results: z
        .array(z.object({ copy_id: copyId.describe('Derived by the passkey.'), created_at: timestamp }))
        .describe('At most ten.'),
    })
    .meta({ id: 'WalletCopies' }),
  errors: ['signature_invalid'],
})

export const removeWalletCopy = endpoint({
  id: 'remove-wallet-copy',
  method: 'DELETE',
  path: '/public/v1/wallets/{eth_address}/copies/{copy_id}',
  area,
  auth: 'anonymous',
  summary: 'Remove a passkey that was added to a wallet',
  description:
    'Its copy of the key is deleted, so that it opens the wallet no more. ' +
    'The proof must be of the last five minutes. Whether anything else opens the wallet nobody here knows.',
  params: params.extend({ copy_id: copyId.describe('Which copy.') }),
  query: z.object({ proof: safeString.nullish().describe('What proveWallet gave.') }),
  response: noContent,
  status: 204,
  errors: ['signature_invalid'],
})

export const findWalletCopy = endpoint({
  id: 'find-wallet-copy',
  method: 'POST',
  path: '/public/v1/wallet-copies',
  area,
  auth: 'anonymous',
  summary: 'Find the sealed key that a passkey opens',
  description: 'For the page that opens a wallet. Only the passkey derives the id, and only it opens the copy.',
  body: z.strictObject({ copy_id: copyId.describe('Derived by the passkey: 32 bytes in base64url.') }),
  response: z
    .object({ sealed: z.string().nullable().describe('60 bytes in base64url; null: there is none.') })
    .meta({ id: 'WalletCopy' }),
  example: { copy_id: 'QmVm'.repeat(11).slice(1) },
})

export const resolveName = endpoint({
  id: 'resolve-name',
  method: 'POST',
  path: '/public/v1/names',
  area,
  auth: 'anonymous',
  summary: 'Find the address of an ENS name',
  description:
    'For pages where people type a name in place of an address. The server asks Ethereum, ' +
    'and the gateways of names that are kept elsewhere (ERC-3668). Show the address and let the person confirm it: ' +
    'a name may stand for another one tomorrow.',
  body: z.strictObject({ name: safeString.describe('Such as alice.eth.') }),
  response: z
    .object({
      address: address.nullable().describe('null: the name has none, or this installation has no node of Ethereum.'),
    })
    .meta({ id: 'NameAddress' }),
  errors: ['unavailable'],
  example: { name: 'alice.eth' },
})
