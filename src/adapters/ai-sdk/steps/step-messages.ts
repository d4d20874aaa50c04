import type {
  Instructions,
  LanguageModel,
  LanguageModelUsage,
  ModelMessage,
  PrepareStepFunction,
  SystemModelMessage,
  ToolSet,
} from 'ai'
import { beginsWith } from '../../../fit/open-contexts.ts'
import { PithError } from '../../../model/problems/errors.ts'
import type { JsonValue, ToolSchema } from '../../../model/types.ts'

type PrepareStepOptions = Parameters<PrepareStepFunction<ToolSet>>[0]

/** The part of a step of `generateText`, `streamText` or an agent that Pith reads. */
export type Step = {
  readonly response: { readonly messages: readonly ModelMessage[] }
  readonly usage: LanguageModelUsage
  readonly experimental_steeringMessages?: readonly ModelMessage[]
}

/** The part of `prepareStep`'s options that Pith reads. */
export type StepOptions = Pick<
  PrepareStepOptions,
  'messages' | 'initialMessages' | 'responseMessages' | 'initialInstructions'
> & {
  readonly model: LanguageModel
  readonly steps: readonly Step[]
  readonly experimental_steeringMessages?: readonly ModelMessage[]
}

/**
 * All original messages of a run. The option `messages` of a step does not have them: the SDK carries an override forward to
 * later steps.
 */
export function runMessages(options: StepOptions): readonly ModelMessage[] {
  return withSteering(extendedRun(options, undefined).messages, options)
}

/** These messages, and the ones that arrived while the last step ran. */
export function withSteering(
  messages: readonly ModelMessage[],
  { experimental_steeringMessages: steering = [] }: StepOptions,
): readonly ModelMessage[] {
  return steering.length === 0 ? messages : messages.concat(steering)
}

/** The messages of a run up to its last step, with the number of messages from each source. */
export type RunSoFar = {
  readonly messages: readonly ModelMessage[]
  /** How many of them the run began with. */
  readonly initial: number
  readonly approved: number
  readonly ofSteps: number
  readonly steps: readonly Step[]
  /** How many steps there were. The SDK adds to the same list. */
  readonly count: number
}

/** Extends the messages of an earlier step of the run, so that each step costs only its own messages. */
export function extendedRun(options: StepOptions, before: RunSoFar | undefined): RunSoFar {
  const { initialMessages, responseMessages, steps } = options
  // Earlier versions of the SDK do not show the messages that a run began with.
  if (initialMessages === undefined || responseMessages === undefined) {
    throw new PithError('bad-argument', 'pith/ai-sdk needs version 7 of the AI SDK: npm install ai@7')
  }
  const known = before !== undefined && isSameRun(before, options) ? before : undefined
  const fresh = steps.slice(known?.count ?? 0)
  const ofSteps = fresh.reduce((sum, { response }) => sum + response.messages.length, known?.ofSteps ?? 0)
  // Results of calls that were approved before the run began.
  const approved = responseMessages.length - ofSteps
  if (known !== undefined && known.approved !== approved) return extendedRun(options, undefined)
  const begun = known?.messages ?? initialMessages.concat(responseMessages.slice(0, approved))
  const added = fresh.flatMap(({ experimental_steeringMessages: steered = [], response }) => [
    ...steered,
    ...response.messages,
  ])
  return {
    messages: begun.concat(added),
    initial: initialMessages.length,
    approved,
    ofSteps,
    steps,
    count: steps.length,
  }
}

function isSameRun({ messages, initial, steps, count }: RunSoFar, now: StepOptions): boolean {
  if (initial !== now.initialMessages.length || !beginsWith(messages, now.initialMessages)) return false
  return steps === now.steps ? count <= steps.length : beginsWith(now.steps, steps, count)
}

/** Instructions of the AI SDK as one text. */
export function textOfInstructions(instructions: Instructions | undefined): string {
  return listOf(instructions)
    .map(({ content }) => content)
    .join('\n')
}

/** Puts summaries in the system role after the instructions that a run began with. */
export function withSystem(
  instructions: Instructions | undefined,
  blocks: readonly string[],
): { instructions?: Instructions } {
  return blocks.length === 0 ? {} : { instructions: [...listOf(instructions), ...blocks.map(systemMessage)] }
}

function listOf(instructions: Instructions | undefined): SystemModelMessage[] {
  if (instructions === undefined) return []
  return typeof instructions === 'string' ? [systemMessage(instructions)] : [instructions].flat()
}

function systemMessage(content: string): SystemModelMessage {
  return { role: 'system', content }
}

/** The tools of a call as they are sent, to be counted. */
export async function toolSchemasOf(tools: ToolSet): Promise<readonly ToolSchema[]> {
  const { asSchema } = await import('ai')
  return Promise.all(
    Object.entries(tools).map(async ([name, tool]): Promise<ToolSchema> => {
      const inputSchema = (await asSchema(tool.inputSchema).jsonSchema) as JsonValue
      return { name, description: typeof tool.description === 'string' ? tool.description : undefined, inputSchema }
    }),
  )
}
