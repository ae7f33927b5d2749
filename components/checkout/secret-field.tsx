'use client'

import { useSecret } from './use-secret'

/**
 * Sends the secret of a purchase with the form around it: its further mails follow the language that the buyer chooses
 * there.
 */
export function SecretField({ id }: { id: string }) {
  const secret = useSecret(id)
  return secret && <input type="hidden" name="secret" value={secret} />
}
