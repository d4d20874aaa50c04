import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { unreachable } from '../../../src/model/problems/errors.ts'
import type { ProtocolName } from './model-request.ts'
import type { ModelServer } from './server.ts'

/** The AI SDK's own client for a protocol of the server. */
export function sdkModel(server: ModelServer, protocol: ProtocolName, apiKey = 'test-key') {
  const baseURL = server.baseUrl(protocol)
  switch (protocol) {
    case 'anthropic':
      return createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5')
    case 'responses':
      return createOpenAI({ baseURL, apiKey })('gpt-4.1')
    case 'chat':
      return createOpenAICompatible({ name: 'pith-test', baseURL, apiKey, includeUsage: true })('pith-test')
    case 'google':
      return createGoogle({ baseURL, apiKey })('gemini-2.5-pro')
    default:
      return unreachable(protocol)
  }
}
