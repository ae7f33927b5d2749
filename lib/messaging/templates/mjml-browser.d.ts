declare module 'mjml-browser' {
  type Result = { html: string; errors: { line: number; message: string; formattedMessage: string }[] }
  type Options = {
    validationLevel?: 'strict' | 'soft' | 'skip'
    fonts?: Record<string, string>
    keepComments?: boolean
    ignoreIncludes?: boolean
  }
  export default function mjml2html(source: string, options?: Options): Promise<Result>
}
