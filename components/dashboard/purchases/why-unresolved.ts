type Unresolved = {
  failure: string | null
  timeline: readonly { status: string; detail: string | null }[]
}

/** Why a purchase needs a person: the reason recorded when it became unresolved, else its failure. */
export const whyUnresolved = ({ failure, timeline }: Unresolved): string | null =>
  timeline.find(({ status, detail }) => status === 'UNRESOLVED' && detail)?.detail ?? failure
