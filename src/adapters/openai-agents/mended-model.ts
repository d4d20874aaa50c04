import { MOST_OVERFLOWS } from '../shared/list-keeper.ts'
import type { AgentItem } from './item-form.ts'

/** The part of the SDK's `ModelRequest` that is read. With one of the ids the provider has the conversation, and the list is only what is new. */
type ModelRequest = {
  readonly input: string | readonly AgentItem[]
  readonly previousResponseId?: string
  readonly conversationId?: string
}

/** The part of the SDK's `Model` that is called. */
export type AgentModel = {
  getResponse(request: never): Promise<unknown>
  getStreamedResponse(request: never): AsyncIterable<unknown>
}

/** The part of the SDK's `ModelProvider` that is called. */
export type AgentModelProvider = { getModel(name?: string): AgentModel | Promise<AgentModel> }

/** Gives a list that is smaller than the one that was refused with this error; undefined for every other error. */
export type Refit = (error: unknown, input: readonly AgentItem[]) => Promise<readonly AgentItem[] | undefined>

/** The very model, but that it sends again, smaller, what its provider refused as too large. */
export function mendedModel<M extends AgentModel>(model: M, refit: Refit): M {
  type Calls = {
    getResponse(request: ModelRequest): Promise<unknown>
    getStreamedResponse(request: ModelRequest): AsyncIterable<{ readonly type?: string }>
  }
  const calls = model as unknown as Calls
  const mended: Calls = {
    async getResponse(first) {
      let request = first
      for (let tries = 0; ; tries++) {
        try {
          return await calls.getResponse(request)
        } catch (error) {
          request = await smaller(request, error, tries, refit)
        }
      }
    },
    async *getStreamedResponse(first) {
      let request = first
      for (let tries = 0; ; tries++) {
        let hasBegun = false
        try {
          for await (const event of calls.getStreamedResponse(request)) {
            // A refusal may come behind the news that the provider has begun.
            if (event.type === 'response_started' && tries > 0 && !hasBegun) continue
            hasBegun ||= event.type !== 'response_started'
            yield event
          }
          return
        } catch (error) {
          if (hasBegun) throw error
          request = await smaller(request, error, tries, refit)
        }
      }
    },
  }
  return withMethods(model, mended)
}

/** The very provider, with mended models. */
export function mendedProvider<P extends AgentModelProvider>(provider: P, mend: (model: AgentModel) => AgentModel): P {
  return withMethods(provider, { getModel: async (name?: string) => mend(await provider.getModel(name)) })
}

function withMethods<T extends object>(of: T, methods: object): T {
  return new Proxy(of, {
    get(target, name) {
      // Not through the proxy: a class may keep what is private in fields that only its own objects have.
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The request with a smaller list; the error itself is thrown where there is none. */
async function smaller(request: ModelRequest, error: unknown, tries: number, refit: Refit): Promise<ModelRequest> {
  const { input, previousResponseId, conversationId } = request
  const isWhole = typeof input !== 'string' && previousResponseId === undefined && conversationId === undefined
  const list = isWhole && tries < MOST_OVERFLOWS ? await refit(error, input) : undefined
  if (list === undefined) throw error
  return { ...request, input: list }
}
