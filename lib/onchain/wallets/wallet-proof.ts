import { randomBytes } from 'node:crypto'
import { type Address, hashMessage, type Hex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { MINUTE, realNow, secondsFrom } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { hmac, isHmacOf } from '../../core/secrets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { isSignedBy } from '../../platform/auth/is-signed-by.ts'

const CHALLENGE_SECONDS = 10 * MINUTE
const PROOF_SECONDS = 60 * MINUTE
const LATELY_SECONDS = 5 * MINUTE

/**
 * `networkId`: where the address is a wallet that is a contract; 0 for the address of a key, which is the same
 * everywhere.
 */
type Challenged = { address: Address; networkId: number; expires: number; salt: string }
/** The networks on which somebody proved that an address is theirs. */
export type ProvedNetworks = 'all' | number

/**
 * A challenge carries its expiry and an HMAC over what it is for, so nothing is stored. Signing one twice only gives
 * another proof.
 */
const challengeParts = ({ address, networkId, expires, salt }: Challenged) =>
  ['challenge', address, networkId, expires, salt] as const
const proofParts = (address: Address, networkId: string, expires: string) =>
  ['proof', address, networkId, expires] as const

/**
 * The message that the wallet shows to its holder. It names this site, so that wallets warn where another one asks for
 * it.
 */
function messageOf(ctx: Context, { address, networkId, expires, salt }: Challenged): string {
  const { host, origin } = new URL(ctx.ports.addresses.recipients)
  return createSiweMessage({
    address,
    domain: host,
    uri: `${origin}/wallet`,
    version: '1',
    // The form has no message without a network. The signature of a key says nothing about one.
    chainId: networkId || 1,
    nonce: salt,
    statement: 'Show everything that I own here, also what is private, and what comes with it. This moves nothing.',
    issuedAt: secondsFrom(new Date(expires), -CHALLENGE_SECONDS),
    expirationTime: new Date(expires),
  })
}

/**
 * A new text to sign; each call gives a different one. Times are real, since wallets compare them with their own clock.
 * Throws `not_found` for a network that isn't configured.
 */
export function newWalletChallenge(ctx: Context, address: Address, networkId: number) {
  if (networkId !== 0 && !ctx.ports.chains.has(networkId)) throw notFound()
  const expiresAt = secondsFrom(realNow(), CHALLENGE_SECONDS)
  const challenged = { address, networkId, expires: expiresAt.getTime(), salt: randomBytes(12).toString('hex') }
  const mac = hmac('wallet-proof', ...challengeParts(challenged)).toString('base64url')
  return {
    message: messageOf(ctx, challenged),
    challenge: [challenged.expires, networkId, challenged.salt, mac].join('.'),
    expires_at: expiresAt,
  }
}

/**
 * A proof for whoever signed a challenge. Throws `signature_invalid`. A contract is asked, so call it outside of
 * transactions.
 */
export async function proofOf(ctx: Context, address: Address, challenge: string, signature: Hex) {
  const challenged = readChallenge(address, challenge)
  if (!challenged || challenged.expires <= realNow().getTime())
    throw refuse('This challenge has expired, or is for another address. Get a new one and sign that.')
  const hash = hashMessage(messageOf(ctx, challenged))
  const chain = ctx.ports.chains.get(challenged.networkId)
  if (!(await isSignedBy(address, hash, signature, chain)))
    throw refuse('This is not the signature of that address. Sign the challenge’s message with it.')
  const expiresAt = secondsFrom(realNow(), PROOF_SECONDS)
  const [networkId, expires] = [String(challenged.networkId), String(expiresAt.getTime())]
  const mac = hmac('wallet-proof', ...proofParts(address, networkId, expires)).toString('base64url')
  return { proof: [expires, networkId, mac].join('.'), expires_at: expiresAt }
}

function readChallenge(address: Address, challenge: string): Challenged | null {
  const [expires, networkId, salt, mac, ...rest] = challenge.split('.')
  if (!expires || !networkId || !salt || !mac || rest.length > 0) return null
  const challenged = { address, networkId: Number(networkId), expires: Number(expires), salt }
  return isHmacOf(Buffer.from(mac, 'base64url'), 'wallet-proof', ...challengeParts(challenged)) ? challenged : null
}

/**
 * Where a proof says that the caller holds this address; null without one. Throws `signature_invalid` for one that
 * isn't good any more.
 */
export function provedNetworks(address: Address, proof: string | null | undefined): ProvedNetworks | null {
  if (proof == null) return null
  const [expires, networkId, mac, ...rest] = proof.split('.')
  const isOurs =
    expires !== undefined &&
    networkId !== undefined &&
    mac !== undefined &&
    rest.length === 0 &&
    isHmacOf(Buffer.from(mac, 'base64url'), 'wallet-proof', ...proofParts(address, networkId, expires))
  if (!isOurs || Number(expires) <= realNow().getTime())
    throw refuse('This proof has expired, or is for another address. Sign a new challenge.')
  // A contract may belong to somebody else on another network.
  return networkId === '0' ? 'all' : Number(networkId)
}

/** Throws `signature_invalid` for a proof that is older than five minutes, or isn't good at all. */
export function assertProvedLately(address: Address, proof: string | null | undefined): void {
  provedNetworks(address, proof)
  const age = PROOF_SECONDS - (Number(proof?.split('.')[0] ?? 0) - realNow().getTime()) / 1000
  if (age > LATELY_SECONDS) throw refuse('This proof is older than five minutes. Sign a new challenge.')
}

const refuse = (detail: string) => new AppError('signature_invalid', detail)
