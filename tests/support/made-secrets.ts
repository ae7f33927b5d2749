/** Secrets that this test file made and the database doesn't have: keys, PINs, and what stands in links of mails. */
export const madeSecrets = new Set<string>()

const IN_LINKS = /\/(?:claim|h|mails|unsubscribe)\/([\w-]{20,})|\/p\/[\w-]{36}#([\w-]{20,})|[?&#]token=([\w-]{20,})/g

/** Notes the PIN and the secrets of links in a mail. */
export function noteSecretsOf({
  subject = '',
  text = '',
}: {
  subject?: string | undefined
  text?: string | undefined
}) {
  const [, pin] = /^(\d{6}) /.exec(subject) ?? []
  if (pin) madeSecrets.add(pin)
  for (const [, ...groups] of text.matchAll(IN_LINKS)) madeSecrets.add(groups.find(Boolean)!)
}
