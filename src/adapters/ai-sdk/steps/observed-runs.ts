import type { LanguageModel } from 'ai'
import type { Message, ModelInfo, ToolSchema, WarmModel } from '../../../model/types.ts'
import { sameData } from '../../../model/values.ts'
import { withMethods } from '../../shared/with-methods.ts'
import { type CallOptions, promptMessage, type SdkModel, toolsInCall, warmModel } from '../models/sdk-call.ts'
import type { StepOptions } from './step-messages.ts'

/** The last request of a run. The SDK does not show its tools, signal and settings to `prepareStep`. */
type ObservedRequest = {
  readonly params: CallOptions
  readonly tools: readonly ToolSchema[]
  /** How many messages it was made from. */
  readonly messages: number
  /** When the provider began to answer. */
  answeredAt?: number
}

/**
 * Observes the requests of runs. A run is identified by its list of steps, which is the same object at each step. Its list of
 * first messages cannot identify it: other runs with other instructions, tools and signals may share that list.
 */
export class ObservedRuns {
  readonly #last = new WeakMap<StepOptions['steps'], ObservedRequest>()

  /** The model of a step, wrapped so that we see its requests. `messages`: the number of messages in the step. */
  model({ model, steps }: StepOptions, messages: number): LanguageModel {
    if (!isSdkModel(model)) return model
    const observe = async <R>(params: CallOptions, ask: () => PromiseLike<R>): Promise<R> => {
      const request: ObservedRequest = { params, messages, tools: toolsOf(params, this.#last.get(steps)?.tools) }
      this.#last.set(steps, request)
      const answer = await ask()
      request.answeredAt = Date.now()
      return answer
    }
    return observedModel(model, observe)
  }

  /** The tools of the run, from its last request. */
  tools({ steps }: StepOptions): readonly ToolSchema[] | undefined {
    return this.#last.get(steps)?.tools
  }

  /** The signal that ends the run. */
  signal({ steps }: StepOptions): AbortSignal | undefined {
    return this.#last.get(steps)?.params.abortSignal
  }

  /** The step's model, asked with the request that its provider has in its cache. `sent`: the messages that would be sent now. */
  warm({ model, steps }: StepOptions, info: Partial<ModelInfo>, sent: readonly Message[]): WarmModel | undefined {
    const request = this.#last.get(steps)
    if (request === undefined || !isSdkModel(model)) return undefined
    const since = sent.slice(request.messages)
    if (!since.every(isPlain)) return undefined
    const now = () => ({ ...request.params, prompt: [...request.params.prompt, ...since.map(promptMessage)] })
    return warmModel(model, info, now, request.answeredAt)
  }
}

/** The SDK creates the schemas again for each step. Equal ones are kept as the same objects, so that they are counted once. */
function toolsOf({ tools }: CallOptions, before: readonly ToolSchema[] = []): readonly ToolSchema[] {
  return toolsInCall(tools).map((tool, i) => (sameData(tool, before[i]) ? (before[i] ?? tool) : tool))
}

function observedModel(
  model: SdkModel,
  observe: <R>(params: CallOptions, ask: () => PromiseLike<R>) => Promise<R>,
): SdkModel {
  return withMethods(model, {
    doStream: (params: CallOptions) => observe(params, () => model.doStream(params)),
    doGenerate: (params: CallOptions) => observe(params, () => model.doGenerate(params)),
  })
}

function isSdkModel(model: LanguageModel): model is SdkModel {
  return typeof model === 'object' && 'specificationVersion' in model && model.specificationVersion === 'v4'
}

/** True when the SDK sends a message unchanged. Files it may have to load or convert first. */
function isPlain({ content }: Message): boolean {
  if (typeof content === 'string') return true
  return content.every((part) => {
    if (part.type === 'tool-result') return part.output.type !== 'content'
    return part.type === 'text' || part.type === 'reasoning' || part.type === 'tool-call'
  })
}
