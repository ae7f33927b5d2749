const SHORTEST_SECRET = 32

/** Keys that documents and examples commonly show. */
const SAMPLE_KEYS: ReadonlySet<string> = new Set([
  '0123456789abcdef'.repeat(4),
  'fedcba9876543210'.repeat(4),
  'deadbeef'.repeat(8),
  '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
])

/** Why a key of 32 bytes in hex must not be used; null when nothing speaks against it. */
export function weaknessOfKey(key: string): string | null {
  if (!/^[0-9a-f]{64}$/i.test(key)) return 'must be 64 hex digits'
  if (/^(.)\1*$/.test(key.toLowerCase())) return 'is one digit repeated'
  return SAMPLE_KEYS.has(key.toLowerCase()) ? 'is a sample that everybody knows' : null
}

/** Why a secret text must not be used; null when nothing speaks against it. */
export function weaknessOfSecret(secret: string): string | null {
  if (secret.length < SHORTEST_SECRET) return `must have at least ${SHORTEST_SECRET} characters`
  return /^(.)\1*$/.test(secret) ? 'is one character repeated' : null
}
