import { meaningOf, messagesOfItems } from '../../formats/openai-responses/read.ts'
import { type Fields, fields, text } from '../../formats/shared/json.ts'
import { Origins } from '../../formats/shared/origins.ts'
import { jsonText, type Message, outputText, partsOf, resultsOf, textOf, type Usage } from '../../model/types.ts'
import { MOST_OVERFLOWS } from '../shared/list-keeper.ts'
import { withMethods } from '../shared/with-methods.ts'

/** An item of the OpenAI Agents SDK (`AgentInputItem`), of any kind. */
export type AgentItem = { readonly type?: string | undefined; readonly role?: string | undefined }

const origins = new Origins<AgentItem>()

/** Items of the Agents SDK as our messages. They are items of the Responses API with other names for some fields. */
export function fromAgentItems(items: readonly AgentItem[]): Message[] {
  return messagesOfItems(items, (item) => meaningOf(responsesItem(item)), origins)
}

/** Our messages as items. Unchanged ones are the original objects. */
export function toAgentItems(messages: readonly Message[]): AgentItem[] {
  return origins
    .stretchesOf(messages)
    .flatMap((stretch): AgentItem[] => ('item' in stretch ? [stretch.item] : written(stretch.message)))
}

function responsesItem(item: Fields): Fields {
  const { callId, type, output, ...rest } = item
  if (type === 'function_call_result')
    return { type: 'function_call_output', call_id: callId, output: outputOf(output) }
  return {
    ...rest,
    type,
    ...(callId === undefined ? {} : { call_id: callId }),
    ...(output === undefined ? {} : { output }),
  }
}

/** A result of the SDK is a text, a part, or parts. */
function outputOf(output: unknown): unknown {
  const part = fields(output)
  return part === undefined ? output : [part]
}

function written(message: Message): AgentItem[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [item({ type: 'message', role: message.role, content: textOf(message) })]
    case 'tool':
      return resultsOf(message).map(({ toolCallId: callId, toolName: name, output }) => {
        const text = { type: 'text', text: outputText(output) }
        return item({ type: 'function_call_result', callId, name, status: 'completed', output: text })
      })
    case 'assistant':
      return partsOf(message).flatMap((part) => {
        if (part.type === 'text') {
          const content = [{ type: 'output_text', text: part.text }]
          return [item({ type: 'message', role: 'assistant', status: 'completed', content })]
        }
        if (part.type !== 'tool-call') return []
        const { toolCallId: callId, toolName: name, input } = part
        return [item({ type: 'function_call', callId, name, status: 'completed', arguments: jsonText(input) })]
      })
  }
}

function item(fields: Fields): AgentItem {
  return fields as AgentItem
}

/** The part of the SDK's `ModelRequest` that is read. With one of the ids, the provider keeps the conversation and the list has only the new items. */
type ModelRequest = {
  readonly input: string | readonly AgentItem[]
  readonly previousResponseId?: string
  readonly conversationId?: string
}

/** The part of the SDK's `ModelResponse` that is read: the counts of this one request. */
type ModelResponse = { readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number } } | undefined

/** The part of the SDK's `StreamEvent` that is read. An event of the type `model` contains the provider's own event. */
type StreamEvent = { readonly type?: string; readonly event?: unknown; readonly response?: ModelResponse }

/** The part of the SDK's `Model` that is called. */
export type AgentModel = {
  getResponse(request: never): Promise<unknown>
  getStreamedResponse(request: never): AsyncIterable<unknown>
}

/** The part of the SDK's `ModelProvider` that is called. */
export type AgentModelProvider = { getModel(name?: string): AgentModel | Promise<AgentModel> }

/** Returns a smaller list if this error refuses the list as too large; undefined for every other error. */
export type Refit = (error: unknown, input: readonly AgentItem[]) => Promise<readonly AgentItem[] | undefined>

/** Notes the provider's count for the answer to this list. */
export type ReportUsage = (input: readonly AgentItem[], usage: Partial<Usage>) => void

/**
 * The same model, except that it compacts a list that its provider refuses as too large, and sends it again. It also reports the
 * provider's counts, which the SDK shows nobody else.
 */
export function recoveringModel<M extends AgentModel>(model: M, refit: Refit, report: ReportUsage): M {
  type Calls = {
    getResponse(request: ModelRequest): Promise<ModelResponse>
    getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent>
  }
  const calls = model as unknown as Calls
  const recovering: Calls = {
    async getResponse(first) {
      let request = first
      for (let tries = 0; ; tries++) {
        try {
          const response = await calls.getResponse(request)
          reportUsage(request, response, report)
          return response
        } catch (error) {
          const next = await smaller(request, error, tries, refit)
          if (next === undefined) throw error
          request = next
        }
      }
    },
    async *getStreamedResponse(first) {
      let request = first
      for (let tries = 0; ; tries++) {
        // A refusal may arrive after the first events of a stream. They are held back until we know that the request was accepted.
        const held: StreamEvent[] = []
        let hasBegun = false
        try {
          for await (const event of calls.getStreamedResponse(request)) {
            hasBegun ||= !isPreamble(event)
            if (event.type === 'response_done') reportUsage(request, event.response, report)
            held.push(event)
            if (hasBegun) yield* held.splice(0)
          }
          return yield* held
        } catch (error) {
          const next = hasBegun ? undefined : await smaller(request, reasonIn(held.at(-1)) ?? error, tries, refit)
          if (next === undefined) {
            yield* held
            throw error
          }
          request = next
        }
      }
    },
  }
  return withMethods(model, recovering)
}

/** The same provider, with each of its models wrapped. */
export function wrappedProvider<P extends AgentModelProvider>(provider: P, wrap: (model: AgentModel) => AgentModel): P {
  return withMethods(provider, { getModel: async (name?: string) => wrap(await provider.getModel(name)) })
}

/** Events of OpenAI's Responses API that may come before a refusal: they contain nothing of an answer. */
const PREAMBLE: ReadonlySet<string | undefined> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.failed',
  'error',
])

function isPreamble({ type, event }: StreamEvent): boolean {
  return type === 'response_started' || (type === 'model' && PREAMBLE.has(text(fields(event)?.type)))
}

/** The reason in the last event of a failed stream, if it has one. The SDK's error names only the type of that event. */
function reasonIn(last: StreamEvent | undefined): unknown {
  const event = fields(last?.event)
  return event?.type === 'error' ? event : fields(event?.response)?.error
}

/** The list of a request; undefined if the provider keeps the conversation, so that the list is only the end of it. */
function wholeList({ input, previousResponseId, conversationId }: ModelRequest): readonly AgentItem[] | undefined {
  const isWhole = typeof input !== 'string' && previousResponseId === undefined && conversationId === undefined
  return isWhole ? input : undefined
}

function reportUsage(request: ModelRequest, response: ModelResponse, report: ReportUsage): void {
  const list = wholeList(request)
  if (list !== undefined && response?.usage !== undefined) report(list, response.usage)
}

/** The request with a smaller list, if there is one. */
async function smaller(
  request: ModelRequest,
  error: unknown,
  tries: number,
  refit: Refit,
): Promise<ModelRequest | undefined> {
  const input = wholeList(request)
  const list = input !== undefined && tries < MOST_OVERFLOWS ? await refit(error, input) : undefined
  return list && { ...request, input: list }
}
