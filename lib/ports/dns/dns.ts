/** Looks up what owners of domains publish about them. */
export type Dns = {
  /**
   * The TXT records of a name, each as one text; empty when it has none. Throws an Error when no server answers in
   * time.
   */
  texts(name: string): Promise<string[]>
}
