import { CAPABILITIES, type Capability } from '../../core/contracts/capabilities.ts'
import { notFound } from '../../core/errors.ts'

/** The names of everything a token contract may be able to do. */
export const listCapabilities = async () => ({ capabilities: Object.keys(CAPABILITIES) })

/** The functions that make a capability up. */
export async function getCapability(capability: string) {
  if (!Object.hasOwn(CAPABILITIES, capability)) throw notFound()
  return { capability, abi: [...CAPABILITIES[capability as Capability]] }
}
