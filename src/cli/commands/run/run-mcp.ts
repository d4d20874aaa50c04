import type { Agent, AgentEvent } from '../../../agent/agent.ts'
import { configuredMcp } from '../../../agent/mcp/configured-mcp.ts'
import type { McpServers } from '../../../agent/mcp/mcp-servers.ts'
import { projectMcp } from '../../../config/places/project-mcp.ts'
import { packageVersion } from '../../process/package.ts'
import type { Setup } from '../../setup/setup.ts'

/** Starts the MCP servers of a run and gives the agent their tools. Nobody can be asked, so a project's own must be trusted. */
export async function runMcp(
  agent: Agent,
  { config }: Setup,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal,
): Promise<McpServers | undefined> {
  const project = projectMcp(config.workspace, process.env)
  const { workspace, env } = agent.deps
  const notice = (text: string) => emit({ type: 'notice', text })
  if (project?.why !== undefined) notice(project.why)
  else if (project !== undefined && project.answer === undefined)
    notice(`${project.file} names MCP servers, which are not started: start pith here once to answer for them`)
  const servers = await configuredMcp({
    settings: config.settings,
    project,
    place: { workspace, env, version: packageVersion() },
  })
  await servers?.ready(signal)
  for (const { name, state } of servers?.reports ?? [])
    if (state.kind === 'failed') notice(`MCP server ${name}: ${state.why}`)
  agent.setTools([...agent.deps.tools, ...(servers?.tools ?? [])])
  return servers
}
