import { checkMessages } from '../../model/problems/check-arguments.ts'
import { checkOptions, type OptionNames } from '../../model/problems/problem-text.ts'
import type { Message } from '../../model/types.ts'
import { checkAgentName } from './report-of.ts'

/** Where else to look, and how much to return. */
export type RecallOptions = {
  /** The state that `fit` returned last: necessary if you keep the messages that `fit` returned and not all of them. */
  readonly state?: unknown
  /** The conversations of sub-agents, each under the name that its report has. */
  readonly children?: Readonly<Record<string, readonly Message[]>>
  /** The most hits of a search; 6 if absent. */
  readonly limit?: number
  /** The most characters of entries that are read by their handles; 12,000 if absent. */
  readonly characters?: number
  /** With one handle: the character to continue from. */
  readonly offset?: number
}

const OPTIONS: OptionNames<RecallOptions> = {
  state: true,
  children: true,
  limit: true,
  characters: true,
  offset: true,
}

/** The findings of `recall`: a text for the model, and the messages for a program. */
export type Recalled = {
  /** The answer to the model's call. If nothing was found, or the question has a mistake, it says so. */
  readonly text: string
  /** The best first; entries that were asked for by their handles in their order. */
  readonly found: readonly {
    /** `#12`, or `explore-1#12` for a message of a sub-agent. */
    readonly handle: string
    readonly message: Message
    /** The lines around the match; empty for handles. */
    readonly snippet: string
  }[]
}

/**
 * Finds messages of a conversation that are no longer in the model's context, and reads them word for word. `asked` is what the
 * model typed: handles of a record (`#12`, `#12, #15-#20`, `explore-1#3`), or words in any order, "a phrase", and filters such as
 * `file:upload.ts`, `tool:bash`, `role:user`, `is:error`. Pass the whole conversation, not only what was sent last.
 *
 * @example
 * ```ts
 * import { recall } from 'pith'
 *
 * const { text, found } = await recall(messages, 'login hang')
 * console.log(text, found[0]?.handle)
 * ```
 */
export async function recall(
  messages: readonly Message[],
  asked: string,
  options: RecallOptions = {},
): Promise<Recalled> {
  checkOptions('recall', options, OPTIONS)
  checkMessages(messages)
  for (const [name, list] of Object.entries(options.children ?? {})) {
    checkAgentName(name)
    checkMessages(list)
  }
  // Loaded with the first question: programs that ask none are spared the search.
  return (await import('./recall-messages.ts')).recallMessages(messages, String(asked), options)
}
