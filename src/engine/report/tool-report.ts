import {
  type Entry,
  jsonText,
  type Prices,
  type ToolCallPart,
  type ToolSchema,
  type ToolSize,
} from '../../model/types.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'
import { count, counted, dollars } from './numbers.ts'

/** US dollars for each request, if the provider has it in its cache or not; absent without prices. */
export type RequestCost = { readonly cost?: number; readonly cachedCost?: number }

/** A tool in each request: the tokens of its definition, and how often the session has called it. */
export type ReportedTool = RequestCost & { readonly name: string; readonly tokens: number; readonly calls: number }

/** The tools of one server; without a name those of the agent itself. */
export type ServerTools = RequestCost & {
  readonly server?: string
  readonly tokens: number
  readonly tools: readonly ReportedTool[]
}

/** The definitions of tools that are sent with each request, the largest server and tool first. */
export type ToolReport = RequestCost & { readonly tokens: number; readonly servers: readonly ServerTools[] }

export type ToolReportInput = {
  /** How often each tool was called in the whole session, by `calledName`. */
  readonly calls: ReadonlyMap<string, number>
  readonly prices?: Prices
}

/** Reports the sizes of tools by server; undefined if they are not known. */
export function toolReport(
  tools: readonly ToolSize[] | undefined,
  { calls, prices }: ToolReportInput,
): ToolReport | undefined {
  if (tools === undefined || tools.length === 0) return undefined
  const groups = Map.groupBy(tools, ({ server }) => server)
  const servers = [...groups].map(([server, own]): ServerTools => {
    const reported = own.map(({ name, tokens }) => ({
      name,
      tokens,
      calls: calls.get(name) ?? 0,
      ...requestCost(tokens, prices),
    }))
    const tokens = sumOf(own)
    return { server, tokens, ...requestCost(tokens, prices), tools: reported.toSorted((a, b) => b.tokens - a.tokens) }
  })
  const tokens = sumOf(tools)
  return { tokens, ...requestCost(tokens, prices), servers: servers.toSorted((a, b) => b.tokens - a.tokens) }
}

/** The tokens of all of them. */
export function sumOf(sizes: readonly { readonly tokens: number }[]): number {
  return sizes.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The cost of tokens that are in each request. */
export function requestCost(tokens: number, prices: Prices | undefined): RequestCost {
  if (prices === undefined) return {}
  const dollarsFor = (price: number) => (tokens * price) / 1_000_000
  return { cost: dollarsFor(prices.input), cachedCost: dollarsFor(prices.cacheRead ?? prices.input) }
}

/** The sizes of definitions. */
export function toolSizes(tools: readonly ToolSchema[], estimator: Estimator): ToolSize[] {
  return tools.map((tool) => {
    const server = toolServer(tool.name)
    return { name: tool.name, ...(server === undefined ? {} : { server }), tokens: estimator.text(jsonText(tool)) }
  })
}

/** The server in the name of a tool; undefined for a tool of the agent itself. */
function toolServer(name: string): string | undefined {
  for (const pattern of NAMES) {
    const server = pattern.exec(name)?.[1]
    if (server !== undefined) return server
  }
  return undefined
}

/** How agents name the tools of MCP servers. */
const NAMES: readonly RegExp[] = [
  // Codex has the server as a namespace: `calledName` joins both.
  /^(?:mcp__)?(.+?)_*\//,
  // Claude Code, qwen-code.
  /^mcp__(.+?)__./,
  // Gemini CLI.
  /^mcp_(.+?)_./,
  // Pith.
  /^(.+?)__./,
]

/** The name of the tool that a call uses, with its namespace. */
export function calledName({ toolName, providerOptions }: Pick<ToolCallPart, 'toolName' | 'providerOptions'>): string {
  const namespace = providerOptions?.openai?.namespace
  return typeof namespace === 'string' ? `${namespace}/${toolName}` : toolName
}

/** The sizes that a log has of the tools that are sent with its next request. */
export function toolsIn(log: readonly Entry[]): readonly ToolSize[] | undefined {
  const found = log.findLast((entry) => entry.type === 'settings' && entry.tools !== undefined)
  return found?.type === 'settings' ? found.tools : undefined
}

/** The tools that the session has not called, by server. */
export function unusedTools({ servers }: ToolReport): readonly string[] {
  return servers.flatMap(({ tools }) => tools.filter(({ calls }) => calls === 0).map(({ name }) => name))
}

/** The tools of all servers, the largest first. */
export function largestTools({ servers }: ToolReport, most: number): readonly ReportedTool[] {
  return servers
    .flatMap(({ tools }) => tools)
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, most)
}

/** How often a tool was called. */
export function callsText({ calls }: Pick<ReportedTool, 'calls'>): string {
  return calls === 0 ? 'never used' : counted(calls, 'call')
}

/** The name of a group of tools, for people. */
export function serverTitle({ server }: Pick<ServerTools, 'server'>): string {
  return server ?? 'the agent’s own'
}

/** How many tools a server has, and how many of them were used. */
export function usedText({ tools }: Pick<ServerTools, 'tools'>): string {
  const used = tools.filter(({ calls }) => calls > 0).length
  const all = counted(tools.length, 'tool')
  return used === 0 ? `${all}, never used` : used === tools.length ? `${all}, all used` : `${all}, ${count(used)} used`
}

/** The cost of each request, from the cache and not; empty without prices. */
export function requestCostText({ cost, cachedCost }: RequestCost): string {
  if (cost === undefined) return ''
  return cachedCost === undefined || cachedCost === cost
    ? dollars(cost)
    : `${dollars(cost)}, cached ${dollars(cachedCost)}`
}
