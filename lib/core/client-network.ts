import ipaddr from 'ipaddr.js'

/**
 * What limits count as one client: an IPv4 address, or the /64 of an IPv6 one, since whoever has one such address has all of that
 * network. An IPv4-mapped address counts as its IPv4. Text that is no address is returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}
