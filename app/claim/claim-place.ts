/** Where a claim is open: by its link, or by the code of a handover, whose page keeps the token out of its address. */
export type ClaimPlace = { token: string; code: string | null }

export const pathOfPlace = ({ token, code }: ClaimPlace): string =>
  code === null ? `/claim/${encodeURIComponent(token)}` : `/h/${encodeURIComponent(code)}`
