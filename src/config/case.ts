/** `keepTokens` as the configuration file writes it: `keep_tokens`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A table with its keys as TypeScript writes them: `keep_tokens` becomes `keepTokens`. */
export function camelKeys(table: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [camelCase(key), value]))
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
