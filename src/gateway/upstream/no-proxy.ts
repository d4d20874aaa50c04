/** True when a list as in `NO_PROXY` names the host, by the rules of Node's own agent, ranges of addresses aside. */
export function isExempt({ hostname, port }: URL, list = ''): boolean {
  const entries = list.split(',').map((entry) => entry.trim().toLowerCase())
  return entries.some((entry) => {
    if (entry === '*' || entry === hostname || entry === `${hostname}:${port || '443'}`) return true
    const suffix = /^\*?(\..+)$/.exec(entry)?.[1]
    return suffix !== undefined && (hostname.endsWith(suffix) || entry === `.${hostname}`)
  })
}
