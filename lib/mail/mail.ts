/** One mail as it leaves. */
export type Letter = {
  messageId: string
  from: string
  replyTo?: string | undefined
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string> | undefined
}

/** Where mail leaves. `send` throws when the server refuses or can't be reached; repeating it with the same messageId is safe for the reader. */
export type Mail = {
  send(letter: Letter): Promise<void>
}
