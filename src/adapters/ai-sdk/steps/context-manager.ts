import type { Instructions, LanguageModel, ModelMessage, ToolSet } from 'ai'
import { requestOf } from '../../../engine/context/view/request.ts'
import { beginsWith } from '../../../fit/open-contexts.ts'
import type { ContextState } from '../../../fit/state/context-state.ts'
import type { Fixed, Message, ToolSchema } from '../../../model/message/message.ts'
import { checkOptions, type OptionNames } from '../../../model/problems/problem-text.ts'
import { modelName } from '../../../model/provider/model-info.ts'
import type { Status } from '../../../tokens/status.ts'
import { OnlyConversation } from '../../shared/only-conversation.ts'
import { recallFrom } from '../../shared/recall.ts'
import { CONTEXT_OPTIONS, type ContextOptions } from '../context/context-options.ts'
import { ConversationKeeper } from '../context/conversation-keeper.ts'
import { type AnswerReport, conversationState, type KnownConversation, sameMessage } from '../context/conversations.ts'
import { usageOfStep } from '../models/usage.ts'
import { type PithTools, pithTools } from '../recall-tools.ts'
import { HeardRuns } from './heard-runs.ts'
import { textOfInstructions, withSystem } from './instructions.ts'
import { type ReturnedList, ReturnedLists, sentList } from './returned-lists.ts'
import { type StepOptions, saidAfter, withSteering } from './step-messages.ts'
import { toolSchemasOf } from './tool-schemas.ts'

/** How a context manager counts, compacts and tells of it. Everything is optional. */
export type ContextManagerOptions = ContextOptions & {
  /** The tools of the calls, as the SDK takes them, so that they are counted before the first request too. */
  readonly tools?: ToolSet
  /** The parts of a request besides instructions, tools and messages, which the SDK does not show before a step. */
  readonly fixed?: Pick<Fixed, 'tools' | 'instructions' | 'memory'>
}

/** Keeps the steps of agents inside the window. */
export type ContextManager = {
  /** Give it to `generateText`, `streamText` or an agent: each step gets messages that fit. */
  readonly prepareStep: (options: StepOptions) => Promise<PreparedStep>
  /** How full the context is with these messages, as `prepareStep` counts it. */
  readonly status: (messages: readonly ModelMessage[], model: LanguageModel) => Status
  /**
   * What is known of the conversation with these messages: JSON for the next manager. Without messages, of the only
   * conversation that was prepared; nothing, with a warning, if there were several.
   */
  readonly state: (messages?: readonly ModelMessage[]) => ContextState | undefined
  /**
   * `recall` for the agent: what was compacted or masked, word for word. Once they are taken, records tell of it. Give the
   * call `prepareStep` too: `recall` answers only from the conversation that it prepared for that call.
   */
  readonly tools: PithTools
}

/** What a step is sent with: the messages, instructions if a summary stands in them, and the model, whose requests are listened to. */
export type PreparedStep = { messages: ModelMessage[]; instructions?: Instructions; model: LanguageModel }

/**
 * Keeps the steps of an agent inside the window. It holds no conversation: what it did to one it knows again by the
 * messages themselves, at the next step and at the next call, so that one summary serves them all.
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
  const runs = new HeardRuns()
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
      const run = saidAfter(step, before?.run)
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
    status: (messages, model) => context.statusOf(context.look(messages), { model, fixed: fixedOf(), recalls }),
    state(messages) {
      const known = messages === undefined ? context.only(only) : context.look(messages)
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
 * What a step is about: all that was said where its messages are that, or what we made of it and what was said since. What the
 * caller changed stays changed: it may have taken a secret out.
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

function sameMessages(some: readonly ModelMessage[], others: readonly ModelMessage[]): boolean {
  return some.length === others.length && some.every((message, i) => sameMessage(message, others[i]))
}

/** A signal that fires with the first of these. */
export function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const some = signals.filter((signal) => signal !== undefined)
  return some.length > 1 ? AbortSignal.any(some) : some[0]
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
    if (usage === undefined) return undefined
    const { provider, model: name } = context.infoOf(model)
    const by = provider === undefined || name === undefined ? {} : { model: modelName({ provider, model: name }) }
    return { usage, at: 0, ...by }
  }
}
