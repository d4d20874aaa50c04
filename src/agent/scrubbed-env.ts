import { plainText } from './plain-text.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The environment without keys of model providers: the named variables, variables whose name or value looks like a provider's
 * key, and copies of them under other names. Other secrets stay, because commands may need them.
 */
export function scrubbedEnv(env: Env, providerKeyNames: readonly string[]): Record<string, string> {
  const named = new Set(providerKeyNames.map((name) => name.toUpperCase()))
  const entries = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const isKey = (name: string, value: string) =>
    named.has(name.toUpperCase()) || KEY_NAME.test(name) || KEY_VALUE.test(value)
  const keys = new Set(entries.filter(([name, value]) => isKey(name, value)).map(([, value]) => value))
  return Object.fromEntries(
    // A short value such as `1` may occur in another variable for another reason.
    entries.filter(([name, value]) => !isKey(name, value) && !(value.length >= SHORTEST_KEY && keys.has(value))),
  )
}

/** The variables that `scrubbedEnv` left out, with their values. */
export function keyVariables(env: Env, scrubbed: Env): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || scrubbed[name] !== undefined ? [] : [[name, value] as const],
    ),
  )
}

/** A text in which a mark replaces each of the keys. Whatever a tool found them in, they must not get into the log. */
export function withoutKeys(text: string, keys: Iterable<string>): string {
  const long = [...keys].filter((key) => key.length >= SHORTEST_REAL_KEY).toSorted((a, b) => b.length - a.length)
  return long.reduce((clean, key) => clean.replaceAll(key, () => KEY_MARK), text)
}

/** Raw output in the same way. It is not kept if a key with control sequences inside is left. */
export function rawWithoutKeys(raw: string | undefined, keys: Iterable<string>): string | undefined {
  if (raw === undefined) return undefined
  const all = [...keys]
  const clean = withoutKeys(raw, all)
  const plain = plainText(clean).replaceAll('\r', '')
  return withoutKeys(plain, all) === plain ? clean : undefined
}

const KEY_MARK = '[secret left out: key of a model provider]'
/** A shorter one is a word for a local server that wants any key, such as `lm-studio`. */
const SHORTEST_REAL_KEY = 16
const SHORTEST_KEY = 8

const PROVIDERS =
  'ANTHROPIC|CEREBRAS|CLAUDE|COHERE|DASHSCOPE|DEEPINFRA|DEEPSEEK|FIREWORKS|GEMINI|GOOGLE_AI|GOOGLE_GENERATIVE_AI|' +
  'GOOGLE|GROQ|HUGGINGFACE|MINIMAX|MISTRAL|MOONSHOT|NVIDIA|OPENAI|OPENROUTER|PERPLEXITY|REPLICATE|' +
  'TOGETHER|XAI|ZAI|ZHIPU'
const KEY_NAME = new RegExp(
  `^(?:(?:\\w+_)?(?:${PROVIDERS})_(?:API_?)?(?:AUTH_)?(?:KEY|TOKEN)(?:_\\w+)?|HF_TOKEN|CLAUDE_CODE_OAUTH_TOKEN|AWS_BEARER_TOKEN_BEDROCK)$`,
  'i',
)
/** The shapes of keys, each with its provider. */
const KEY_VALUE = new RegExp(
  [
    'sk-ant-[\\w-]{16,}', // Anthropic
    'sk-or-[\\w-]{16,}', // OpenRouter
    'sk-[\\w-]{20,}', // OpenAI, DeepSeek, Moonshot
    'AIza[\\w-]{30,}', // Google
    'gsk_\\w{20,}', // Groq
    'xai-\\w{20,}', // xAI
    'hf_\\w{20,}', // Hugging Face
    'r8_\\w{20,}', // Replicate
    'pplx-\\w{20,}', // Perplexity
    'nvapi-[\\w-]{20,}', // NVIDIA
  ]
    .map((shape) => `(?<![\\w-])${shape}`)
    .join('|'),
)
