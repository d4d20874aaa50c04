const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
const GATEWAY_HOST = '127.0.0.1'

/** Variables with which an agent that sends its requests through a proxy does not send those for a gateway of this machine there. */
export function proxyException(env: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  const isProxied = PROXIES.some((name) => Boolean(env[name] || env[name.toLowerCase()]))
  const own = env.NO_PROXY || env.no_proxy
  if (!isProxied || own === '*') return {}
  const exceptions = own ? `${own},${GATEWAY_HOST}` : GATEWAY_HOST
  return { NO_PROXY: exceptions, no_proxy: exceptions }
}
