import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import { unreachable } from '../../model/problems/errors.ts'
import type { Endpoint } from './endpoint.ts'

/** A model of the AI SDK, the options of its calls, and the parts of its streams. */
export type LanguageModel = ReturnType<OpenAICompatibleProvider['languageModel']>
export type SdkCallOptions = Parameters<LanguageModel['doStream']>[0]
type SdkStream = Awaited<ReturnType<LanguageModel['doStream']>>['stream']
export type SdkStreamPart = SdkStream extends ReadableStream<infer Part> ? Part : never

/** The AI SDK's model for an endpoint. The provider's package is loaded here, when it is first needed. */
export async function languageModel(endpoint: Endpoint, model: string, fetch: typeof globalThis.fetch) {
  const { kind, baseUrl: baseURL, headers } = endpoint
  // Without a key, the SDK would take one from the environment of the process and ignore the user's configuration.
  const apiKey = endpoint.apiKey ?? 'none'
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL, headers, fetch, ...anthropicKey(endpoint) })(model)
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL, headers, fetch, apiKey }).responses(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL, headers, fetch, apiKey })(model)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const { provider: name } = endpoint
      return createOpenAICompatible({ name, baseURL, headers, fetch, apiKey: endpoint.apiKey, includeUsage: true })(
        model,
      )
    }
    default:
      return unreachable(kind)
  }
}

function anthropicKey({ apiKey, headers }: Endpoint): { apiKey: string } | { authToken: string } {
  const token = /^Bearer (.+)$/.exec(headers.Authorization ?? '')?.[1]
  return apiKey === undefined && token !== undefined ? { authToken: token } : { apiKey: apiKey ?? 'none' }
}
