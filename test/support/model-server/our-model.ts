import type { ProviderKind, ProvidersSettings } from '../../../src/config/tables/provider-settings.ts'
import type { ChatModel } from '../../../src/llm/call/chat-model.ts'
import { type OpenModelDeps, openModel } from '../../../src/llm/open-model.ts'
import { registryOf } from '../../../src/models/registry.ts'
import type { ProtocolName } from './model-request.ts'
import type { ModelServer } from './server.ts'

const KINDS: Readonly<Record<ProtocolName, ProviderKind>> = {
  anthropic: 'anthropic',
  responses: 'openai',
  chat: 'openai-compatible',
  google: 'google',
}

/** The settings by which a user's configuration reaches the server, as the provider `local-test`. */
function providersOf(server: ModelServer, protocol: ProtocolName): ProvidersSettings {
  return { 'local-test': { kind: KINDS[protocol], baseUrl: server.baseUrl(protocol), apiKey: 'test-key' } }
}

/** The server as a model of ours, with a window; its retries do not wait. */
export function ourModel(
  server: ModelServer,
  protocol: ProtocolName,
  { window, ...deps }: Partial<OpenModelDeps> & { window: number },
): ChatModel {
  const info = { provider: 'local-test', model: 'pith-test', contextWindow: window, maxOutput: Math.ceil(window / 4) }
  const opened = openModel('local-test/pith-test', {
    registry: registryOf([info]),
    providers: providersOf(server, protocol),
    env: {},
    sleep: async () => {},
    ...deps,
  })
  if ('unusable' in opened) throw new Error(opened.text)
  return opened
}
