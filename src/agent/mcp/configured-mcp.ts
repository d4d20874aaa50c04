import type { ProjectMcp } from '../../config/places/project-mcp.ts'
import type { Settings } from '../../config/tables/settings.ts'
import type { McpPlace } from './mcp-connection.ts'
import type { McpServers } from './mcp-servers.ts'

export type McpInput = {
  readonly settings: Pick<Settings, 'mcp'>
  readonly project: ProjectMcp | undefined
  readonly place: McpPlace
}

/** Starts the servers of the configuration, and those of the project if the user trusts them. Undefined if there are none. */
export async function configuredMcp({ settings, project, place }: McpInput): Promise<McpServers | undefined> {
  const trusted = project?.answer === 'trusted' ? project.servers : {}
  // A server of the user's own configuration wins over one of the project with the same name.
  const servers = { ...trusted, ...settings.mcp }
  if (Object.keys(servers).length === 0) return undefined
  return startedMcp(place, servers)
}

/** Starts servers. Loads the SDK here, so that a session without servers starts without it. */
export async function startedMcp(place: McpPlace, servers: ProjectMcp['servers']): Promise<McpServers> {
  const { McpServers } = await import('./mcp-servers.ts')
  const all = new McpServers(place)
  all.add(servers)
  return all
}
