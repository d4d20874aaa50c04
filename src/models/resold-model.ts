import { type ModelInfo, modelName, type Prices } from '../model/types.ts'
import offers from './resold-offers.json' with { type: 'json' }

/** The windows and prices of resellers, by `provider/model`. */
const OFFERS: Readonly<Record<string, { readonly window: number; readonly prices?: Prices }>> = offers

/** Providers that offer the models of others under their own name; agents call models by it. */
const RESELLERS: ReadonlySet<string> = new Set([
  'amazon-bedrock',
  'azure',
  'azure-cognitive-services',
  'cerebras',
  'cloudflare-ai-gateway',
  'github-copilot',
  'github-models',
  'google-vertex',
  'google-vertex-anthropic',
  'groq',
  'helicone',
  'litellm',
  'opencode',
  'opencode-go',
  'openrouter',
  'portkey',
  'vercel',
])

/** Names that SDKs give a provider, with our name for it. */
const ALIASES: Readonly<Record<string, string>> = {
  'azure-openai': 'azure',
  bedrock: 'amazon-bedrock',
  gateway: 'vercel',
  github: 'github-models',
  'vercel-ai-gateway': 'vercel',
  vertex: 'google-vertex',
}

/**
 * The facts about a model that a reseller offers: those of its maker, with the reseller's window where that is smaller, and
 * the reseller's price where the maker is not known. Other providers are not asked: a local server may give a model of the same name any window.
 */
export function resoldModel(
  registry: ReadonlyMap<string, ModelInfo>,
  { provider: named, model }: Pick<ModelInfo, 'provider' | 'model'>,
): ModelInfo | undefined {
  const provider = ALIASES[named] ?? named
  if (!RESELLERS.has(provider)) return undefined
  const made = makersModel(registry, model)
  const sold = OFFERS[modelName({ provider, model })] ?? OFFERS[modelName({ provider, model: withoutRegion(model) })]
  if (sold === undefined) return made
  if (made === undefined) return { provider, model, contextWindow: sold.window, prices: sold.prices }
  if ((made.contextWindow ?? Number.POSITIVE_INFINITY) <= sold.window) return made
  const { maxInput: _, ...facts } = made
  return { ...facts, contextWindow: sold.window }
}

/** A profile of Bedrock names where it runs: `us.meta.llama3-3-70b-instruct-v1:0`. */
function withoutRegion(model: string): string {
  return model.replace(/^.*\//, '').replace(/^[a-z]{2,6}\.(?=[a-z]+\.)/, '')
}

/** The model of its maker that a reseller offers under its own name. */
export function makersModel(registry: ReadonlyMap<string, ModelInfo>, model: string): ModelInfo | undefined {
  for (const name of namesToTry(ownName(model)).flatMap((name) => [name, name.replace(/(?<=\d)\.(?=\d)/g, '-')])) {
    for (const provider of MAKERS) {
      const info = registry.get(modelName({ provider, model: name }))
      if (info !== undefined) return info
    }
  }
  return undefined
}

/** `anthropic/claude-sonnet-4.5` (OpenRouter) and `us.anthropic.claude-sonnet-4-5-20250929-v1:0` (Bedrock) as their maker calls them. */
function ownName(model: string): string {
  return model
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z]{2,6}\.)?[a-z]+\.(?=[a-z])/, '')
    .replace(/-v\d+(?::\d+)?$/, '')
}

/** Providers that offer the models which they make. */
export const MAKERS: ReadonlySet<string> = new Set([
  'anthropic',
  'deepseek',
  'google',
  'mistral',
  'openai',
  'qwen',
  'xai',
])

// A snapshot is looked up under its undated name, never under another `-latest`, which may be another generation.
const SUFFIXES: readonly RegExp[] = [
  /-latest$/,
  /[-@]20\d{6}$/, // claude-sonnet-4-5-20250929, claude-sonnet-4-5@20250929
  /-20\d\d-\d\d-\d\d$/, // gpt-5-2025-08-07
  /-preview-\d\d-(\d\d|20\d\d)$/, // gemini-2.5-flash-preview-09-2025
  /-\d{4}$/, // grok-4-0709
  /-0\d\d$/, // gemini-2.0-flash-001
]

/** The names that a model may be listed under, the most exact first: its own, then without its tag, date or `-latest`. */
export function namesToTry(model: string): readonly string[] {
  const [name = model, tag] = model.split(':', 2)
  const size = tag?.split('-', 1)[0]
  const tagged = size === undefined ? [] : [`${name}:${size}`]
  return [...new Set([model, ...tagged, name, ...withoutSuffixes(name)])]
}

function withoutSuffixes(name: string): string[] {
  const suffix = SUFFIXES.find((pattern) => pattern.test(name))
  if (suffix === undefined) return []
  const base = name.replace(suffix, '')
  return [base, ...withoutSuffixes(base)]
}
