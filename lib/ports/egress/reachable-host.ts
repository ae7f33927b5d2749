import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type IpAddress, parseIp } from '../../core/ip-address.ts'
import { type Address, EgressRefused, type Target } from './egress.ts'

/** All addresses of a name. Rejects when there are none. */
export type Resolve = (name: string) => Promise<Address[]>
const resolveBySystem: Resolve = (name) => lookup(name, { all: true })

/**
 * Whether an IP address may be connected to: `public`, `allowed` (private, but in a range of EGRESS_ALLOW), or not at
 * all.
 */
export function isReachable(text: string, allow: readonly string[]): 'public' | 'allowed' | false {
  const ip = parseIp(text)
  if (!ip) return false
  if (allow.some((range) => isWithin(ip, range))) return 'allowed'
  return ip.range() === 'unicast' ? 'public' : false
}

function isWithin(ip: IpAddress, range: string): boolean {
  const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.process(range), null]
  return network.kind() === ip.kind() && ip.match(network, bits ?? (network.kind() === 'ipv4' ? 32 : 128))
}

/**
 * The addresses to connect to for a host that an organization or a buyer named. The name is resolved once and all its
 * addresses are validated; callers connect to the returned ones only (`pinnedLookup`), so that DNS rebinding has no
 * effect.
 * @param allow private ranges that may be reached (EGRESS_ALLOW).
 * @param resolve the resolver; the system's unless given.
 * @throws EgressRefused when any of its addresses is private, loopback, link-local or otherwise not on the public
 * internet.
 * @throws the resolver's Error when the name doesn't resolve.
 */
export async function resolveReachableHost(
  host: string,
  allow: readonly string[],
  resolve: Resolve = resolveBySystem,
): Promise<Target> {
  const name = host.replace(/^\[|\]$/g, '')
  const found = isIP(name) ? [{ address: name, family: isIP(name) }] : await resolve(name)
  const verdicts = found.map(({ address }) => isReachable(address, allow))
  if (found.length === 0 || verdicts.includes(false))
    throw new EgressRefused(
      'This address is not on the public internet. Who runs this installation can allow its range with EGRESS_ALLOW.',
    )
  return { addresses: found as Target['addresses'], allowed: verdicts.every((verdict) => verdict === 'allowed') }
}

type LookupDone = (error: null, address: string | Address[], family?: number) => void

/** A `lookup` function for undici and `net` that gives the validated addresses for any name. */
export const pinnedLookup =
  ({ addresses }: Target) =>
  (_name: string, options: { all?: boolean | undefined }, done: unknown) =>
    options.all
      ? (done as LookupDone)(null, addresses)
      : (done as LookupDone)(null, addresses[0].address, addresses[0].family)
