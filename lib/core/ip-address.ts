import ipaddr from 'ipaddr.js'
import { isUuid } from './id.ts'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * The prefixes of 96 bits whose last 32 are an IPv4 address: IPv4-compatible (RFC 4291), and translated by NAT64 (RFC
 * 6052).
 */
const IPV4_WITHIN = ['::/96', '64:ff9b::/96'].map((range) => ipaddr.IPv6.parseCIDR(range))

/**
 * An IP address, or null for other text. An IPv6 address that stands for an IPv4 one (mapped, compatible or translated)
 * counts as that one, since a connection to it may end there.
 */
export function parseIp(text: string): IpAddress | null {
  if (!ipaddr.isValid(text)) return null
  const ip = ipaddr.process(text)
  const isOwn = ip.kind() === 'ipv4' || ['loopback', 'unspecified'].includes(ip.range())
  if (isOwn || !IPV4_WITHIN.some(([range, bits]) => (ip as ipaddr.IPv6).match(range, bits))) return ip
  return new ipaddr.IPv4(ip.toByteArray().slice(12))
}

/** Whether text is an IPv4 address in its usual form. */
export const isPlainIpv4 = (text: string): boolean => PLAIN_IPV4.test(text)
const PLAIN_IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/**
 * The key by which a client is counted: its IPv4 address, or the /64 of its IPv6 address, since one client usually has
 * all of a /64. Text that is no address, an id say, stays as it is.
 */
export function clientNetwork(address: string): string {
  if (isPlainIpv4(address) || isUuid(address)) return address
  const ip = parseIp(address)
  if (!ip) return address
  return ip.kind() === 'ipv4'
    ? ip.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toString()}/64`).toString()}/64`
}
