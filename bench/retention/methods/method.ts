import type { Entry, Message } from '../../../src/engine.ts'
import type { Cut } from '../cuts.ts'

/** A way to make a long conversation short. */
export type Method = {
  readonly name: string
  /** True when the agent itself can get back what the method leaves out. */
  readonly recalls?: boolean
  /** The context that it leaves of a conversation, of at most `budget` tokens. */
  run(conversation: Conversation, budget: number): Promise<Outcome>
}

export type Conversation = Pick<Cut, 'log' | 'before' | 'tokens' | 'recorded'>

/** The messages that the model would see next, and the log that they come from if the method keeps one; or why it cannot run here. */
export type Outcome =
  | {
      readonly ok: true
      readonly messages: readonly Message[]
      readonly log?: readonly Entry[]
      /** Why a model's summary was asked for and not used. */
      readonly refusal?: string
    }
  | { readonly ok: false; readonly why: string }
