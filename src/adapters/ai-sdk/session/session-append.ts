import type { ModelMessage } from 'ai'
import { wrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import { parseMessage } from '../../../model/message/message-schema.ts'
import { type EntryDraft, type ModelInfo, modelName } from '../../../model/types.ts'
import type { LiveSession } from '../../../session/live-session.ts'
import { usageOfStep } from '../models/usage.ts'
import { runMessages, type Step, type StepOptions } from '../steps/step-messages.ts'

/** Stores each message of a run once, no matter which call brings it first. Messages are compared by identity. */
export class Appender {
  readonly #live: LiveSession
  readonly #model: string | undefined
  readonly #known = new WeakSet<ModelMessage>()

  constructor(live: LiveSession, { provider, model }: Partial<ModelInfo>) {
    this.#live = live
    this.#model = provider === undefined || model === undefined ? undefined : modelName({ provider, model })
  }

  /** Marks messages that the caller gets as known: they come back with the next step. */
  markKnown(messages: ModelMessage[]): ModelMessage[] {
    for (const message of messages) this.#known.add(message)
    return messages
  }

  async append(messages: readonly ModelMessage[]): Promise<void> {
    await this.#store(messages.map((message) => ({ message })))
  }

  /** Messages of a run that are not in the log yet. */
  async appendNew(step: StepOptions): Promise<void> {
    const usages = new Map(step.steps.flatMap((each) => reported(each)))
    await this.#store(runMessages(step).map((message) => ({ message, usage: usages.get(message) })))
  }

  async appendStep(step: Step): Promise<void> {
    const usages = new Map(reported(step))
    await this.#store(step.response.messages.map((message) => ({ message, usage: usages.get(message) })))
  }

  async #store(messages: readonly CountedMessage[]): Promise<void> {
    const fresh = messages.filter(({ message }) => !this.#known.has(message))
    for (const { message } of fresh) this.#known.add(message)
    if (fresh.length > 0) await this.#live.append(fresh.map((one) => this.#draftOf(one)))
  }

  #draftOf({ message, usage }: CountedMessage): EntryDraft {
    return {
      type: 'message',
      message: parseMessage(wrapForeign(message)),
      usage,
      ...(usage === undefined || this.#model === undefined ? {} : { model: this.#model }),
    }
  }
}

type CountedMessage = { readonly message: ModelMessage; readonly usage?: ReturnType<typeof usageOfStep> }

function reported({ response, usage }: Step): [ModelMessage, ReturnType<typeof usageOfStep>][] {
  const answer = response.messages.find((message) => message.role === 'assistant')
  return answer === undefined ? [] : [[answer, usageOfStep(usage)]]
}
