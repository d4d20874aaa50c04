import type { Instructions, LanguageModel, ModelMessage, ToolSet } from 'ai'
import { requestOf } from '../../../engine/context/view/request.ts'
import { beginsWith } from '../../../fit/open-contexts.ts'
import type { ContextState } from '../../../fit/state/context-state.ts'
import { checkOptions, type OptionNames } from '../../../model/problems/problem-text.ts'
import type { Fixed, Message, ToolSchema } from '../../../model/types.ts'
import type { Status } from '../../../tokens/status.ts'
import { OnlyConversation } from '../../shared/only-conversation.ts'
import { recallFrom } from '../../shared/recall.ts'
import { CONTEXT_OPTIONS, type ContextOptions } from '../context/context-options.ts'
import { ConversationKeeper } from '../context/conversation-keeper.ts'
import { type AnswerReport, conversationState, type KnownConversation, sameMessage } from '../context/conversations.ts'
import { nameInLog, usageOfStep } from '../models/summary-model.ts'
import { type PithTools, pithTools } from '../recall-tools.ts'
import { ObservedRuns } from './observed-runs.ts'
import { type ReturnedList, ReturnedLists, sentList } from './returned-lists.ts'
import {
  extendedRun,
  type StepOptions,
  textOfInstructions,
  toolSchemasOf,
  withSteering,
  withSystem,
} from './step-messages.ts'

/** How a context manager counts, compacts and reports. Everything is optional. */
export type ContextManagerOptions = ContextOptions & {
  /** The tools of the calls, in the form of the SDK, so that they are counted before the first request too. */
  readonly tools?: ToolSet
  /** The parts of a request besides instructions, tools and messages, which the SDK does not show before a step. */
  readonly fixed?: Pick<Fixed, 'tools' | 'instructions' | 'memory'>
}

/** Keeps the steps of agents inside the window. */
export type ContextManager = {
  /** For `generateText`, `streamText` or an agent: each step gets messages that fit. */
  readonly prepareStep: (options: StepOptions) => Promise<PreparedStep>
  /** How full the context is with these messages, as `prepareStep` counts it. */
  readonly status: (messages: readonly ModelMessage[], model: LanguageModel) => Status
  /**
   * The state of the conversation with these messages: JSON for the next manager. Without messages, the state of the only
   * conversation that was prepared. Undefined, with a warning, if there were several.
   */
  readonly state: (messages?: readonly ModelMessage[]) => ContextState | undefined
  /**
   * `recall` for the agent: it returns compacted or masked entries word for word. Once you read this property, records mention
   * the tool. Pass `prepareStep` to the same call: `recall` answers only from the conversation that was prepared for that call.
   */
  readonly tools: PithTools
}

/** The settings of a step: its messages, instructions if they contain a summary, and the model, wrapped to observe its requests. */
export type PreparedStep = { messages: ModelMessage[]; instructions?: Instructions; model: LanguageModel }

/**
 * Keeps the steps of an agent inside the window. It does not store conversations. It recognises one by its messages, at the
 * next step and at the next call, so that one summary serves them all.
 *
 * @example
 * ```ts
 * import { ToolLoopAgent } from 'ai'
 * import { contextManager } from 'pith/ai-sdk'
 *
 * const pith = contextManager({ window: 200_000 })
 * const agent = new ToolLoopAgent({ model, tools, prepareStep: pith.prepareStep })
 * ```
 */
export function contextManager(options: ContextManagerOptions = {}): ContextManager {
  checkOptions('contextManager', options, OPTIONS)
  const context = new ConversationKeeper(options)
  const runs = new ObservedRuns()
  const lists = new ReturnedLists(options.remember)
  const only = new OnlyConversation<KnownConversation>()
  let recalls = options.tools?.recall !== undefined
  let ownTools: readonly ToolSchema[] | undefined
  const fixedOf = (instructions?: Instructions, tools = ownTools): Fixed => ({
    ...(tools === undefined ? {} : { tools }),
    ...options.fixed,
    system: textOfInstructions(instructions),
  })
  return {
    async prepareStep(step) {
      if (options.tools !== undefined) ownTools ??= await toolSchemasOf(options.tools)
      const before = lists.before(step)
      const run = extendedRun(step, before?.run)
      const all = withSteering(run.messages, step)
      const said = saidIn(step.messages, all, before)
      const known = context.open(said, reportsOf(context, step))
      only.note(known.messages, known, step.steps)
      const signal = anyOf(options.signal, runs.signal(step))
      const warm = () => runs.warm(step, context.infoOf(step.model, known), requestOf(known.context.view).messages)
      const fixed = fixedOf(step.initialInstructions, runs.tools(step))
      const call = { model: step.model, fixed, recalls, signal, warm }
      const fitting = await context.fit(known, call, 'threshold')
      signal?.throwIfAborted()
      only.note(fitting.known.messages, fitting.known, step.steps)
      const sent = fitting.changed ? sentList(fitting, recalls, before?.sent) : undefined
      const messages = sent?.messages ?? [...step.messages]
      lists.keep(step, { messages, said, isAll: said === all, run, known: fitting.known, sent })
      const model = runs.model(step, messages.length)
      // A copy, because the caller may add to it.
      return { messages: [...messages], ...withSystem(step.initialInstructions, sent?.system ?? []), model }
    },
    status: (messages, model) => context.statusOf(context.read(messages), { model, fixed: fixedOf(), recalls }),
    state(messages) {
      const known = messages === undefined ? context.only(only) : context.read(messages)
      return known && conversationState(known)
    },
    get tools() {
      recalls = true
      return pithTools((messages) => {
        const known = lists.conversationOf(messages) ?? context.find(messages)
        return known === undefined ? undefined : recallFrom(known)
      }, NOT_PREPARED)
    },
  }
}

const OPTIONS: OptionNames<ContextManagerOptions> = { ...CONTEXT_OPTIONS, tools: true, fixed: true }

const NOT_PREPARED =
  'Pith does not know this conversation: its messages did not come from prepareStep of the manager that has this tool. Give that prepareStep to the same call as the tool, and send what it returns unchanged.'

/**
 * The original messages of a step. If the step has the messages that we returned before, they are replaced by the messages they
 * were made from, followed by the new ones. Messages that the caller changed stay changed: it may have removed a secret.
 */
function saidIn(
  messages: readonly ModelMessage[],
  all: readonly ModelMessage[],
  before: ReturnedList | undefined,
): readonly ModelMessage[] {
  if (before === undefined || !beginsWith(messages, before.messages))
    return sameMessages(messages, all) ? all : messages
  const since = messages.slice(before.messages.length)
  if (before.isAll && sameMessages(since, all.slice(before.said.length))) return all
  return before.sent === undefined ? messages : [...before.said, ...since]
}

function sameMessages(messages: readonly ModelMessage[], others: readonly ModelMessage[]): boolean {
  return messages.length === others.length && messages.every((message, i) => sameMessage(message, others[i]))
}

/** A signal that fires when the first of these fires. */
export function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/** The provider's count for each step of the run, by the answer it belongs to. */
function reportsOf(
  context: ConversationKeeper,
  { steps, model }: StepOptions,
): (message: Message) => AnswerReport | undefined {
  return (message) => {
    if (message.role !== 'assistant') return undefined
    const step = steps.findLast(
      ({ response }) => response.messages.find(({ role }) => role === 'assistant') === message,
    )
    const usage = usageOfStep(step?.usage)
    return usage && { usage, at: 0, model: nameInLog(context.infoOf(model)) }
  }
}
