import type { ClientName } from '../clients/compaction-ask.ts'

/** An agent that can be started behind a gateway. */
export type WrappedAgent = {
  readonly name: ClientName
  /** Its name as people write it. */
  readonly title: string
  /** Its program. */
  readonly program: string
  /** How it is pointed at a gateway on this machine, or why it is left alone. */
  readonly plan: (world: AgentWorld) => WrapPlan | LeftAlone
}

/** The environment, files and commands that decide how an agent reaches its provider. */
export type AgentWorld = {
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** The text of a file, by its path from the home folder or a whole path; undefined when there is none. */
  readonly homeFile: (path: string) => string | undefined
  /** The same from the folder in which it is started. */
  readonly projectFile: (path: string) => string | undefined
  /** The command that starts `pith mcp`, so that the agent's model can follow the handles of a record. */
  readonly mcp: McpCommand
  /** The file of the extension that comes with Pith for pi. */
  readonly piExtension: string
}

export type McpCommand = { readonly command: string; readonly args: readonly string[] }

/** An agent that is started as it would be without Pith. */
export type LeftAlone = { readonly leftAlone: string }

export type WrapPlan = {
  /** The addresses to which the gateway forwards requests, by the name in their path; other names are those of the known providers. */
  readonly upstreams: Readonly<Record<string, string>>
  /** The known providers that the agent may also use and for which the user has set no address. */
  readonly direct?: readonly string[]
  readonly start: (gateway: GatewayAddress) => AgentStart
}

export type GatewayAddress = {
  /** The base URL of an upstream, with the secret prefix. */
  readonly urlOf: (upstream: string) => string
  /** The same without the prefix, for an agent that sends the secret in the header `x-pith-gateway`. */
  readonly openUrlOf: (upstream: string) => string
  readonly secret: string
  /** At how many tokens the agent shall compact by itself, if the policy says so. */
  readonly triggerTokens?: number
}

/** The variables and arguments that one process of the agent gets in addition to the user's own. */
export type AgentStart = {
  readonly env: Readonly<Record<string, string>>
  /** Goes before the user's own arguments. */
  readonly args: readonly string[]
}
