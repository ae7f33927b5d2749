import type { TemplateBlock } from '../../platform/api/email-templates.ts'
import { readTags } from './check-tags.ts'
import type { Variable } from './variables.ts'

const NAMES = {
  BRAND: 'brand',
  HEADING: 'heading',
  TEXT: 'text',
  PICTURE: 'picture',
  BUTTON: 'button',
  CODE: 'code',
  FOOTER: 'footer',
} satisfies Record<TemplateBlock['type'], string>

/** `line`: the number of the block. */
type BlockProblem = { field: 'body'; line: number; detail: string }

/** The faults of blocks, each with the number of its block: variables, sections, and where buttons lead. */
export function checkBlocks(blocks: readonly TemplateBlock[], variables: readonly Variable[]): BlockProblem[] {
  const names = variables.map(({ name }) => name)
  const urls = variables.flatMap(({ name, url }) => (url ? [`{{${name}}}`] : []))
  return blocks.flatMap((block, at) => {
    const problems = textsOf(block).flatMap((text) => readTags(text, names).problems.map(({ detail }) => detail))
    if (block.type === 'BUTTON' && !urls.includes(block.url) && !/^(https:\/\/|mailto:)[^{}\s]+$/.test(block.url))
      problems.push(`A button leads to an address that begins with https://, or to one of ${urls.join(', ')}.`)
    return problems.map((detail) => ({
      field: 'body',
      line: at + 1,
      detail: `Block ${at + 1} (${NAMES[block.type]}): ${detail}`,
    }))
  })
}

function textsOf(block: TemplateBlock): string[] {
  switch (block.type) {
    case 'HEADING':
    case 'TEXT':
    case 'CODE':
      return [block.text]
    case 'BUTTON':
      return [block.label]
    case 'PICTURE':
      return [block.alt]
    case 'BRAND':
    case 'FOOTER':
      return []
  }
}
