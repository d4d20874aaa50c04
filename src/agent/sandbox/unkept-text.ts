import type { NeverRule, Sandbox } from './sandbox.ts'

/** A line for the user about the never rules that no sandbox keeps; undefined if there are none. */
export function unkeptText(sandbox: Sandbox | undefined, never: readonly NeverRule[]): string | undefined {
  // Tools of MCP servers are not commands: their rules are always kept.
  const unkept = never.filter((rule) => rule.kind !== 'tool' && sandbox?.enforces(rule) !== true)
  if (unkept.length === 0) return undefined
  const rules = unkept.map(({ kind, pattern }) => `${kind}: ${pattern}`).join(', ')
  const why =
    sandbox === undefined ? 'There is no sandbox for commands here' : 'The sandbox of commands cannot keep every rule'
  return `${why}, so these never rules are only as good as reading the text of a command: ${rules}`
}
