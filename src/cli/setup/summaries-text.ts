import type { GatewaySettings } from '../../config/tables/gateway-settings.ts'

/** The writer of summaries, in the words of the line at the start of a gateway. */
export const SUMMARIES_TEXT: Readonly<Record<GatewaySettings['summaries'], string>> = {
  'same-request': "summaries by the agent's own model and key",
  configured: 'summaries by the configured model',
  none: 'no model is asked',
}
