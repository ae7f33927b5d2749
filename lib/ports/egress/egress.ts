/** The validated IP addresses of a host, to be tried in this order. `allowed`: all are in a range of EGRESS_ALLOW. */
export type Target = { addresses: [Address, ...Address[]]; allowed: boolean }
export type Address = { address: string; family: number }

/** The address must not be connected to. Trying again won't help. */
export class EgressRefused extends Error {
  override readonly name: string = 'EgressRefused'
}

/** `answer`: the beginning of the response body, at most 4 KiB of text. */
export type PostResult = { status: number; answer: string; milliseconds: number }

/**
 * Posts to URLs that organizations gave: https only, public addresses only (validated when connecting), no redirects,
 * bounded in time and size. Plain http and private addresses are possible in the ranges of EGRESS_ALLOW.
 */
export type Poster = {
  /**
   * Throws EgressRefused for a URL that would never be posted to. A name that doesn't resolve passes: each post
   * validates it again.
   */
  assertUrl(url: string): Promise<void>
  /**
   * Posts once and gives the receiver's answer, whatever its status. Throws EgressRefused when the address is not
   * allowed, and an Error when no answer came within `timeoutMs`; the receiver may have handled the request
   * nevertheless.
   */
  post(url: string, request: { headers: Record<string, string>; body: string; timeoutMs: number }): Promise<PostResult>
}
