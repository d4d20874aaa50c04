import type { ProviderKind } from '../../config/tables/provider-settings.ts'

/** A provider that needs no address from the user. */
export type Provider = {
  readonly id: string
  readonly kind: ProviderKind
  readonly baseUrl: string
  /** Environment variables that may contain its key; the first that is set counts. Empty if it needs no key. */
  readonly keyEnv: readonly string[]
  /** Environment variables that may contain another base URL. The provider's own tools read them, too. */
  readonly baseUrlEnv?: readonly string[]
  /** The usual port of a server on this machine. */
  readonly localPort?: number
  /** True if it silently drops the beginning of a request that is too large. */
  readonly truncates?: true
}

/** The providers that need only a key or a running server. */
export const PROVIDERS: readonly Provider[] = [
  {
    id: 'anthropic',
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyEnv: ['ANTHROPIC_API_KEY'],
    baseUrlEnv: ['ANTHROPIC_BASE_URL'],
  },
  {
    id: 'openai',
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyEnv: ['OPENAI_API_KEY'],
    baseUrlEnv: ['OPENAI_BASE_URL'],
  },
  {
    id: 'google',
    kind: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyEnv: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  compatible('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  compatible('deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  compatible('mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  compatible('xai', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  compatible('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  compatible('together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'),
  compatible('fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  compatible('qwen', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  { ...local('ollama', 11434), truncates: true },
  { ...local('lmstudio', 1234), truncates: true },
  local('llamacpp', 8080),
  local('vllm', 8000),
]

/** Every environment variable that may contain a key of a known provider. */
export const KEY_VARIABLES: readonly string[] = [
  ...PROVIDERS.flatMap((provider) => provider.keyEnv),
  'ANTHROPIC_AUTH_TOKEN',
]

/** The provider with this id, if we know it. */
export function knownProvider(id: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id)
}

/** True for a provider that is a server on this machine. */
export function isLocalProvider(id: string): boolean {
  return knownProvider(id)?.localPort !== undefined
}

function compatible(id: string, baseUrl: string, ...keyEnv: string[]): Provider {
  return { id, kind: 'openai-compatible', baseUrl, keyEnv }
}

function local(id: string, localPort: number): Provider {
  return { id, kind: 'openai-compatible', baseUrl: `http://127.0.0.1:${localPort}/v1`, keyEnv: [], localPort }
}
