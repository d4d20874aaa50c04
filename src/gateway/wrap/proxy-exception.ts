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
