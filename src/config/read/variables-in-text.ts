/** A variable that a text names: `${NAME}`, or `${NAME:-otherwise}`. */
export type NamedVariable = { readonly name: string; readonly otherwise: string | undefined }

/** The variables in a text, by the same rules as other agents use for `.mcp.json`. */
export function variablesIn(text: string): NamedVariable[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '', otherwise]) => ({ name, otherwise }))
}

/** The text with the values of its variables. A variable that is not set and has no default is left unchanged. */
export function withVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(VARIABLE, (whole, name: string, otherwise?: string) => env[name] ?? otherwise ?? whole)
}

const VARIABLE = /\$\{(\w+)(?::-([^}]*))?\}/g
