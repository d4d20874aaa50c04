/** One line about a proxy that the environment names and that requests to providers do not use; undefined if there is none. */
export function unusedProxy(env: Readonly<NodeJS.ProcessEnv>): string | undefined {
  const name = ['all_proxy', 'ALL_PROXY'].find((each) => Boolean(env[each]))
  if (name === undefined || env.https_proxy || env.HTTPS_PROXY) return undefined
  const what = /^socks/i.test(env[name] ?? '') ? 'a SOCKS proxy, which Pith does not support' : 'a proxy'
  return `${name} names ${what}: providers are reached without it. Pith follows HTTPS_PROXY, with an address like http://host:port`
}
