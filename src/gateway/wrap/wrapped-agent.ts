import type { ClientName } from '../clients/compaction-ask.ts'
import type { OwnTrigger } from './own-trigger.ts'

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
  /** The user's own arguments for the agent. */
  readonly args: readonly string[]
  /** The text of a file, by its path from the home folder or a whole path; undefined when there is none. */
  readonly homeFile: (path: string) => string | undefined
  /** The same from the folder in which it is started. */
  readonly projectFile: (path: string) => string | undefined
  /** The command that starts `pith mcp`, so that the agent's model can follow the handles of a record. */
  readonly mcp: McpCommand
  /** The file of the extension that comes with Pith for pi. */
  readonly piExtension: string
}

type McpCommand = { readonly command: string; readonly args: readonly string[] }

/** An agent that is started as it would be without Pith. */
export type LeftAlone = { readonly leftAlone: string }

export type WrapPlan = {
  /** The addresses to which the gateway forwards requests, by the name in their path; other names are those of the known providers. */
  readonly upstreams: Readonly<Record<string, string>>
  /** The known providers that the agent may also use and for which the user has set no address. */
  readonly direct?: readonly string[]
  /** The model that it starts with, as `upstream/model`, if its files or arguments name one. */
  readonly model?: string
  /** The windows that its own files state, by `upstream/model`; `upstream/*` is for every other model. */
  readonly windows?: Readonly<Record<string, number>>
  readonly ownTrigger: OwnTrigger
  /** A subscription pays, so that Pith shortens no request. */
  readonly isSubscription?: boolean
  /** A sentence for the user about features that the agent has only at its provider's own address. */
  readonly turnsOff?: string
  readonly start: (gateway: GatewayAddress) => AgentStart
}

type GatewayAddress = {
  /** The base URL of an upstream, with the secret prefix. */
  readonly urlOf: (upstream: string) => string
  /** The same without the prefix, for an agent that sends the secret in the header `x-pith-gateway`. */
  readonly openUrlOf: (upstream: string) => string
  readonly secret: string
  /** At how many tokens the agent shall compact by itself, if Pith moves its trigger. */
  readonly triggerTokens?: number
}

/** The variables and arguments that one process of the agent gets in addition to the user's own. */
export type AgentStart = {
  readonly env: Readonly<Record<string, string>>
  /** Goes before the user's own arguments. */
  readonly args: readonly string[]
  /** The settings in these arguments, for a program that takes them as JSON: the adapter of Codex for editors. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** The value of an option among the user's arguments, under any of its names: `--model x`, `--model=x`. */
export function optionIn(args: readonly string[], ...names: readonly string[]): string | undefined {
  const values = args.flatMap((arg, i) => {
    const [name = '', ...rest] = arg.split('=')
    if (!names.includes(name)) return []
    return rest.length > 0 ? [rest.join('=')] : args.slice(i + 1, i + 2)
  })
  return values.at(-1)
}

/** The addresses of the providers, as their own libraries have them. */
export const PROVIDER_URLS = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  chatgpt: 'https://chatgpt.com/backend-api/codex',
  google: 'https://generativelanguage.googleapis.com',
} as const

/**
 * True when all requests of an agent already go to gateways of this machine: a second gateway would record each of them again.
 * If only some of its requests do, the agent gets a gateway for the others.
 */
export function isBehindGateway(
  { upstreams, direct = [] }: Pick<WrapPlan, 'upstreams' | 'direct'>,
  running: readonly { readonly port: number }[],
): boolean {
  const open = new Set(running.flatMap(({ port }) => HOSTS.map((host) => `http://${host}:${port}`)))
  return (
    direct.length === 0 && Object.values(upstreams).every((url) => URL.canParse(url) && open.has(new URL(url).origin))
  )
}

/** The names of this machine. */
const HOSTS = ['127.0.0.1', 'localhost', '[::1]']

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
const GATEWAY_HOST = '127.0.0.1'

/** Variables for an agent that uses a proxy: with them it sends requests for a gateway of this machine directly. */
export function proxyException(env: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  const isProxied = PROXIES.some((name) => Boolean(env[name] || env[name.toLowerCase()]))
  if (!isProxied) return {}
  // Some programs read the one and some the other. If both are set, each keeps its value.
  return {
    NO_PROXY: withGateway(env.NO_PROXY || env.no_proxy),
    no_proxy: withGateway(env.no_proxy || env.NO_PROXY),
  }
}

function withGateway(exceptions: string | undefined): string {
  if (exceptions === '*') return exceptions
  return exceptions ? `${exceptions},${GATEWAY_HOST}` : GATEWAY_HOST
}
