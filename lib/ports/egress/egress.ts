/** Where a connection goes: a judged address. `allowed`: private, but the operator allows it. */
export type Target = { address: string; family: number; allowed: boolean }

/** The address itself is at fault: asking again won't help. */
export class EgressRefused extends Error {
  override readonly name: string = 'EgressRefused'
}

export type PostResult = { status: number; answer: string; milliseconds: number }

/** Posts to addresses that strangers chose: https only, public addresses only (checked at connect time), no redirects, bounded in time and size. */
export type Poster = {
  /** Throws EgressRefused when such an address is never posted to. A name that doesn't resolve now passes: it is judged again at each post. */
  assertUrl(url: string): Promise<void>
  /** What the receiver said, whatever its status. Throws EgressRefused, or an Error when no answer came. */
  post(url: string, request: { headers: Record<string, string>; body: string; timeoutMs: number }): Promise<PostResult>
}
