import type { LanguageModel, LanguageModelUsage, ModelMessage, PrepareStepFunction, ToolSet } from 'ai'
import { PithError } from '../../model/errors.ts'

type Given = Parameters<PrepareStepFunction<ToolSet>>[0]

/** The part of a step of `generateText`, `streamText` or an agent that Pith reads. */
export type Step = {
  readonly response: { readonly messages: readonly ModelMessage[] }
  readonly usage: LanguageModelUsage
  readonly experimental_steeringMessages?: readonly ModelMessage[]
}

/** The part of `prepareStep`'s options that Pith reads. */
export type StepOptions = Pick<Given, 'messages' | 'initialMessages' | 'responseMessages' | 'initialInstructions'> & {
  readonly model: LanguageModel
  readonly steps: readonly Step[]
  readonly experimental_steeringMessages?: readonly ModelMessage[]
}

/**
 * All messages of a run as they were said, without what was put in their place since: a `messages` override carries
 * forward to later steps.
 */
export function saidMessages(options: StepOptions): ModelMessage[] {
  const { initialMessages, responseMessages, steps, experimental_steeringMessages: steering = [] } = options
  // Earlier versions do not say which messages a run began with.
  if (initialMessages === undefined || responseMessages === undefined) {
    throw new PithError('bad-argument', 'pith/ai-sdk needs version 7 of the AI SDK: npm install ai@7')
  }
  const ofSteps = steps.reduce((sum, { response }) => sum + response.messages.length, 0)
  // Results of calls that were approved before the run began.
  const approved = responseMessages.slice(0, responseMessages.length - ofSteps)
  const said = [...initialMessages, ...approved]
  for (const { experimental_steeringMessages: steered = [], response } of steps) {
    for (const message of steered) said.push(message)
    for (const message of response.messages) said.push(message)
  }
  return [...said, ...steering]
}
