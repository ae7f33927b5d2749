/** Whether a hash begins with so many zero bits. */
export function beginsWithZeroBits(hash: Uint8Array, bits: number): boolean {
  for (let bit = 0; bit < bits; bit++) if (hash[bit >> 3]! & (0x80 >> (bit & 7))) return false
  return true
}
