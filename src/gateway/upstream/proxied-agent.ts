import type { RequestOptions } from 'node:http'
import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import { PithError } from '../../model/problems/errors.ts'

/** The options of a request. The connection that is opened for it stands in `opened` before the tunnel through it does. */
export type TunnelOptions = RequestOptions & { readonly opened?: { connection?: Duplex } }

/** Reaches providers as everything else on this machine does: through the proxy that the environment names, if any. */
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

let last: { readonly variables: string; readonly agent: Agent } | undefined

/**
 * The agent for providers, the same one while the variables stay the same. It is made for the first request: a wrong variable
 * must not keep a program from starting.
 */
export function proxiedAgent({ https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY } = process.env): Agent {
  const proxyEnv = { https_proxy, HTTPS_PROXY, no_proxy, NO_PROXY }
  const variables = JSON.stringify(proxyEnv)
  if (last?.variables !== variables) last = { variables, agent: agentIn(proxyEnv) }
  return last.agent
}

function agentIn(proxyEnv: NodeJS.ProcessEnv): Agent {
  // Node reads the one in lower case first.
  const name = proxyEnv.https_proxy ? 'https_proxy' : 'HTTPS_PROXY'
  const address = proxyEnv[name] ?? ''
  if (/^socks/i.test(address))
    throw new PithError('bad-config', `${name} names a SOCKS proxy, which Pith does not support: ${WRITE_IT}`)
  // Node passes over an address of any other form without a word.
  if (address !== '' && !/^https?:\/\//.test(address)) throw notValid(name)
  try {
    return new ProxiedAgent({ keepAlive: true, proxyEnv })
  } catch {
    throw notValid(name)
  }
}

const WRITE_IT = 'write it as http://user:password@host:port, with %25 for a % in the password'

/** The reason that Node gives may hold the password. */
function notValid(name: string): PithError {
  return new PithError('bad-config', `${name} is no valid address: ${WRITE_IT}`)
}
