import ipaddr from 'ipaddr.js'
import { isPlainIpv4 } from '../../core/ip-address.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type TrustedProxies = readonly (readonly [Address, number])[]

/** Parses addresses and ranges (`10.0.0.0/8`, `::1`). Throws an Error for anything else. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  return entries.map((entry) => {
    if (entry.includes('/') && ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
    const address = parseAddress(entry)
    if (!address) throw new Error(`TRUSTED_PROXIES: ${entry} is neither an address nor a range.`)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
}

/**
 * The client's address: the socket's, or, while that belongs to a trusted proxy, the hop before it in X-Forwarded-For.
 * Entries left of the first untrusted hop may be forged by the client and are ignored.
 */
export function firstUntrustedHop(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): string {
  if (!forwardedFor && socketAddress && isPlainIpv4(socketAddress)) return socketAddress
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => hop.trim()), socketAddress ?? '']
  let client = 'unknown'
  for (const hop of hops.reverse()) {
    const address = parseAddress(hop)
    if (!address) break
    client = address.toString()
    if (!isTrusted(address, trusted)) break
  }
  return client
}

const isTrusted = (address: Address, trusted: TrustedProxies): boolean =>
  trusted.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))

/** An IPv4-mapped IPv6 address counts as IPv4. A port after the address is dropped. */
function parseAddress(text: string): Address | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null
}
