'use client'

import { useRef } from 'react'
import { Unreachable } from '@/packages/client/src/call'
import { toBase64Url } from './base64url'

/**
 * Sends a request under an idempotency key. The same content keeps its key while no response arrives, so that a repeat
 * returns the first result; any response, or other content, ends that key.
 */
export function useIdempotentSend(): <T>(content: string, send: (idempotencyKey: string) => Promise<T>) => Promise<T> {
  const attempt = useRef({ content: '', key: '' })
  return async (content, send) => {
    if (attempt.current.content !== content)
      attempt.current = { content, key: toBase64Url(crypto.getRandomValues(new Uint8Array(24))) }
    try {
      return await send(attempt.current.key)
    } catch (failure) {
      if (!(failure instanceof Unreachable)) attempt.current = { content: '', key: '' }
      throw failure
    }
  }
}
