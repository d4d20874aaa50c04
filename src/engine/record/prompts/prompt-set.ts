/** The texts of one system. Every summarising request is made of them; which ones are used depends on the span. */
export type PromptSet = {
  /** The system prompt of a summarising request. */
  readonly system: string
  /** Asks for the summary of a conversation. */
  readonly summary: string
  /** Asks to bring an earlier summary up to date with what came since. */
  readonly update: string
  /** Asks for a summary of the beginning of a turn that is still going on. */
  readonly turn: string
  /** Asks to merge the summaries of consecutive parts into one. */
  readonly merge: string
  /** Said before the summary prompt when it comes as one more message behind the conversation itself. */
  readonly warm: string
  /** How a focus or custom instructions are appended. */
  readonly focus: (focus: string) => string
}

/** The texts of a set that are not the same in all of them. */
export type OwnPrompts = Omit<PromptSet, 'update' | 'merge' | 'warm'>
