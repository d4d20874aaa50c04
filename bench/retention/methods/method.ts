import type { Entry, Message } from '../../../src/engine.ts'
import type { Cut } from '../cuts.ts'

/** A way to make a long conversation short. */
export type Method = {
  readonly name: string
  /** True when what it leaves out can be got back by the agent itself. */
  readonly recalls?: boolean
  /** The context that it leaves of a conversation, of at most `budget` tokens. */
  run(conversation: Conversation, budget: number): Promise<Outcome>
}

export type Conversation = Pick<Cut, 'log' | 'before' | 'tokens' | 'recorded'>

/** `messages` are what the model would see next, `log` where they come from if the method keeps one; or why it cannot run here. */
export type Outcome =
  | {
      readonly ok: true
      readonly messages: readonly Message[]
      readonly log?: readonly Entry[]
      /** Why no model's summary was taken, where one was asked. */
      readonly refusal?: string
    }
  | { readonly ok: false; readonly why: string }
