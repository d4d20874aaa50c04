import type { WrapPlan } from './wrapped-agent.ts'

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
