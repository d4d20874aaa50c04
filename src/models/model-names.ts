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
