import type { ToolSize } from '../../model/types.ts'

/** How an agent names the tools of MCP servers, if the name alone does not show it: `tool` is one of its own tools. */
type NamingRule = {
  readonly tool: string
  /** Its first group is the server. */
  readonly pattern: RegExp
  /** Its own tools that look like those of a server. */
  readonly own: ReadonlySet<string>
}

/** The rules by agent, as seen on the versions named in docs/gateway.md. */
const RULES: readonly NamingRule[] = [
  // opencode: `server_tool`.
  { tool: 'todowrite', pattern: /^([^_]+)_./, own: new Set(['apply_patch', 'plan_enter', 'plan_exit']) },
  // Copilot CLI: `server-tool`.
  { tool: 'report_intent', pattern: /^(.+)-[^-]+$/, own: new Set() },
]

/** The tools with their servers, for the agents that mark these in the names of their tools in a way of their own. */
export function withServers(tools: readonly ToolSize[]): readonly ToolSize[] {
  const rule = RULES.find(({ tool }) => tools.some(({ name }) => name === tool))
  if (rule === undefined) return tools
  return tools.map((tool) => {
    const server = tool.server ?? (rule.own.has(tool.name) ? undefined : rule.pattern.exec(tool.name)?.[1])
    return server === undefined ? tool : { ...tool, server }
  })
}
