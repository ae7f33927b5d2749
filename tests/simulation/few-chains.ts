import { registerHooks } from 'node:module'

const DEFINITIONS = ['mainnet', 'sepolia']

/** Loads viem’s definitions of these chains only: there are seven hundred, of which a world needs two, and a process has one world. */
export function loadFewChains(): void {
  const index = import.meta.resolve('viem/chains')
  const source = DEFINITIONS.map((name) => `export { ${name} } from '${new URL(`definitions/${name}.js`, index).href}'`)
  registerHooks({
    load: (url, context, next) =>
      url === index ? { format: 'module', source: source.join('\n'), shortCircuit: true } : next(url, context),
  })
}
