import { CAPABILITIES, type Capability } from '../../core/contracts/capabilities.ts'
import { notFound } from '../../core/errors.ts'

/** The names of all capabilities that a token contract may have. */
export const listCapabilities = async () => ({ capabilities: Object.keys(CAPABILITIES) })

/** The ABI functions of a capability. Throws `not_found`. */
export async function getCapability(capability: string) {
  if (!Object.hasOwn(CAPABILITIES, capability)) throw notFound()
  return { capability, abi: [...CAPABILITIES[capability as Capability]] }
}
