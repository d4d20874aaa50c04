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
