import type { EditableType, listVariables as endpoint } from '../../platform/api/email-templates.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import { organizationNameOf } from '../../organizations/organization-name.ts'
import { DEFAULT_LOCALE, type Locale } from '../../core/locales.ts'
import { sampleOf, VARIABLES } from './variables.ts'

/** The variables that a mail's template may use, with samples as the language writes them. */
export async function listVariables(
  ctx: Context,
  type: EditableType,
  locale: Locale = DEFAULT_LOCALE,
): Promise<Output<typeof endpoint>> {
  const organizationName = await organizationNameOf(ctx)
  const given = { origin: ctx.ports.addresses.origin, organizationName, locale }
  return {
    variables: VARIABLES[type].map((variable) => {
      const { name, meaning, required = false, optional = false, url = false } = variable
      return { name, meaning, sample: sampleOf(variable, given), required, optional, url }
    }),
  }
}
