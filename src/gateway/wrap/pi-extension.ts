/** The part of pi's extension API that is used here. */
type PiApi = { registerProvider(name: string, config: { baseUrl: string }): void }

/** Sends the requests of pi's own providers to the gateway that started it. Their models and keys stay as they are. */
export default function pointAtGateway(pi: PiApi): void {
  const urls: Record<string, string> = JSON.parse(process.env.PITH_GATEWAY_URLS ?? '{}')
  for (const [name, baseUrl] of Object.entries(urls)) pi.registerProvider(name, { baseUrl })
}
