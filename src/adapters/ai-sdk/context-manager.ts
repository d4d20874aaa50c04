import type { Instructions, LanguageModel, ModelMessage } from 'ai'
import { requestOf } from '../../engine/view/request.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { Message } from '../../model/message.ts'
import { modelName } from '../../model/model-info.ts'
import type { Status } from '../../tokens/status.ts'
import { Context, type ContextCall } from './context.ts'
import type { ContextOptions } from './context-options.ts'
import type { Report } from './conversations.ts'
import { unwrapForeign, wrapForeign } from './foreign-parts.ts'
import { textOfInstructions, withSystem } from './instructions.ts'
import { sameMessages } from './prefix-keys.ts'
import { type StepOptions, saidMessages } from './step-messages.ts'
import { usageOfStep } from './usage.ts'

export type ContextManagerOptions = ContextOptions & {
  /** The parts of a request besides instructions and messages, which the SDK does not show before a step. */
  readonly fixed?: Pick<Fixed, 'tools' | 'instructions' | 'memory'>
}

export type ContextManager = {
  /** Give it to `generateText`, `streamText` or an agent: each step gets messages that fit. */
  readonly prepareStep: (options: StepOptions) => Promise<PreparedStep | undefined>
  /** How full the context is with these messages, as `prepareStep` counts it. */
  readonly status: (messages: readonly ModelMessage[], model: LanguageModel) => Status
}

export type PreparedStep = { messages: ModelMessage[]; instructions?: Instructions }

/**
 * Keeps the steps of an agent inside the window. It holds no conversation: what it did to one it knows again by the
 * messages themselves, at the next step and at the next call, so that one summary serves them all.
 */
export function contextManager(options: ContextManagerOptions = {}): ContextManager {
  const context = new Context(options)
  /** Lists that were given back, by their first message: the SDK adds to them and calls again. */
  const given = new WeakMap<ModelMessage, { readonly messages: readonly ModelMessage[]; readonly said: number }>()
  const callOf = (model: LanguageModel, instructions?: Instructions): ContextCall => ({
    model,
    fixed: { ...options.fixed, system: textOfInstructions(instructions) },
  })
  return {
    async prepareStep(step) {
      const said = isOurs(step) ? saidMessages(step) : step.messages
      const known = context.conversations.open(said.map(wrapForeign), reportsOf(context, step))
      const { view, changed } = await context.fit(known, callOf(step.model, step.initialInstructions), 'threshold')
      if (!changed) return undefined
      const { system, messages } = requestOf(view)
      const sent: ModelMessage[] = messages.map(unwrapForeign)
      if (sent[0] !== undefined) given.set(sent[0], { messages: sent, said: said.length })
      return { messages: sent, ...withSystem(step.initialInstructions, system) }
    },
    status: (messages, model) => context.statusOf(context.conversations.open(messages.map(wrapForeign)), callOf(model)),
  }

  /** True when the step's messages are what we gave back before and what was said since, or all that was said. */
  function isOurs(step: StepOptions): boolean {
    const said = saidMessages(step)
    const before = step.messages[0] === undefined ? undefined : given.get(step.messages[0])
    const expected = before === undefined ? said : [...before.messages, ...said.slice(before.said)]
    return sameMessages(expected, step.messages)
  }
}

/** The provider's count for each step of the run, by the answer it belongs to. */
function reportsOf(context: Context, { steps, model }: StepOptions): Map<Message, Report> {
  const info = context.infoOf(model)
  const name = info.provider === undefined || info.model === undefined ? undefined : info
  const reports = new Map<Message, Report>()
  for (const { response, usage } of steps) {
    const counted = usageOfStep(usage)
    const answer = response.messages.find((message) => message.role === 'assistant')
    if (counted === undefined || answer === undefined) continue
    const by =
      name === undefined ? {} : { model: modelName({ provider: name.provider ?? '', model: name.model ?? '' }) }
    reports.set(answer, { usage: counted, at: 0, ...by })
  }
  return reports
}
