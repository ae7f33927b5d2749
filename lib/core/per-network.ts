import { z } from 'zod'

/** A setting with a value for all networks and maybe others for single ones: `1000;137=5000`. */
export const perNetwork = ({ source }: RegExp, fallback: string, expected: string) =>
  z
    .string()
    .regex(new RegExp(`^${source}(;\\d+=${source})*$`), expected)
    .default(fallback)

/** The value of a setting for a network: of `1000;137=5000`, 5000 for network 137 and 1000 for every other. */
export function valueFor(networkId: number, setting: string): string {
  const [common = '', ...own] = setting.split(';')
  const prefix = `${networkId}=`
  return own.find((entry) => entry.startsWith(prefix))?.slice(prefix.length) ?? common
}
