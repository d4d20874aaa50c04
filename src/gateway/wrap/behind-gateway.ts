/** True when an agent's requests already go to a gateway of this machine: a second one would record each of them again. */
export function isBehindGateway(
  upstreams: Readonly<Record<string, string>>,
  running: readonly { readonly port: number }[],
): boolean {
  const open = new Set(running.map(({ port }) => `http://127.0.0.1:${port}`))
  return Object.values(upstreams).some((url) => URL.canParse(url) && open.has(new URL(url).origin))
}
