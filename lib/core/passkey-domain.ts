/** Whether a page may use the passkeys of a domain by its host alone. */
export const isOfPasskeys = ({ hostname }: URL, domain: string): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`)
