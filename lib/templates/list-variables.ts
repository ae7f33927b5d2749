import type { EditableType, listVariables as endpoint } from '../api/email-templates.ts'
import type { Output } from '../api/endpoint.ts'
import type { Context } from '../auth/context.ts'
import { samplesFor } from './preview-template.ts'
import { VARIABLES } from './variables.ts'

export async function listVariables(ctx: Context, type: EditableType): Promise<Output<typeof endpoint>> {
  const samples = await samplesFor(ctx, type)
  return {
    variables: VARIABLES[type].map(({ name, meaning, required = false, optional = false, url = false }) => ({ name, meaning, sample: samples[name] ?? '', required, optional, url })),
  }
}
