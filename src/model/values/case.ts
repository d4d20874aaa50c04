/** `keepTokens` as configuration files and the HTTP API write it: `keep_tokens`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `keep_tokens` as TypeScript writes it: `keepTokens`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
