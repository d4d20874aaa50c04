import type { RequestOptions } from 'node:http'
import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import { PithError } from '../../model/problems/errors.ts'

/** The options of a request. `opened` gets the connection of the request before the tunnel through it is ready. */
export type TunnelOptions = RequestOptions & { readonly opened?: { connection?: Duplex } }

/** Reaches providers through the proxy that the environment names, if any. */
class ProxiedAgent extends Agent {
  override createConnection(
    options: TunnelOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const connection = super.createConnection(options, callback)
    if (connection && options.opened) options.opened.connection = connection
    return connection
  }
}

/** An agent. If the proxy's variable is wrong, `fault` says why its proxy is not used. */
type AgentInEnv = { readonly agent: Agent; readonly fault?: PithError }

/** The agent in use: it holds the open connections. */
let last: (AgentInEnv & { readonly variables: string }) | undefined

/**
 * The agent for a provider, the same one while the variables stay the same. A wrong variable must not keep a program from
 * starting, nor from providers that are reached without the proxy: only a request that needs the proxy fails.
 */
export function proxiedAgent(address: URL, { https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY } = process.env): Agent {
  const proxyEnv = { https_proxy: https_proxy?.trim(), HTTPS_PROXY: HTTPS_PROXY?.trim(), no_proxy, NO_PROXY }
  const variables = JSON.stringify(proxyEnv)
  if (last?.variables !== variables) last = { variables, ...agentIn(proxyEnv) }
  if (last.fault !== undefined && !isExempt(address, no_proxy || NO_PROXY)) throw last.fault
  return last.agent
}

function agentIn(proxyEnv: NodeJS.ProcessEnv): AgentInEnv {
  // Node reads the one in lower case first.
  const name = proxyEnv.https_proxy ? 'https_proxy' : 'HTTPS_PROXY'
  const address = proxyEnv[name] ?? ''
  const faulty = (what: string): AgentInEnv => ({
    agent: new ProxiedAgent({ keepAlive: true }),
    fault: new PithError('bad-config', `${name} ${what}: ${WRITE_IT}`),
  })
  if (/^socks/i.test(address)) return faulty('names a SOCKS proxy, which Pith does not support')
  // Node silently ignores an address of any other form.
  if (address !== '' && !/^https?:\/\//.test(address)) return faulty('is not a valid address')
  try {
    return { agent: new ProxiedAgent({ keepAlive: true, proxyEnv }) }
  } catch {
    // The reason that Node gives may hold the password.
    return faulty('is not a valid address')
  }
}

const WRITE_IT = 'write it as http://user:password@host:port, with %25 for a % in the password'

/** True when a list as in `NO_PROXY` names the host, by the rules of Node's own agent, ranges of addresses aside. */
export function isExempt({ hostname, port }: URL, list = ''): boolean {
  const entries = list.split(',').map((entry) => entry.trim().toLowerCase())
  return entries.some((entry) => {
    if (entry === '*' || entry === hostname || entry === `${hostname}:${port || '443'}`) return true
    const suffix = /^\*?(\..+)$/.exec(entry)?.[1]
    return suffix !== undefined && (hostname.endsWith(suffix) || entry === `.${hostname}`)
  })
}

/** One line about a proxy that the environment names and that requests to providers do not use; undefined if there is none. */
export function unusedProxy(env: Readonly<NodeJS.ProcessEnv>): string | undefined {
  const name = ['all_proxy', 'ALL_PROXY'].find((each) => Boolean(env[each]))
  if (name === undefined || env.https_proxy || env.HTTPS_PROXY) return undefined
  const what = /^socks/i.test(env[name] ?? '') ? 'a SOCKS proxy, which Pith does not support' : 'a proxy'
  return `${name} names ${what}: providers are reached without it. Pith follows HTTPS_PROXY, with an address like http://host:port`
}
