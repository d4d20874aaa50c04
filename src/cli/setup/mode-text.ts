import type { GatewaySettings } from '../../config/tables/program-settings.ts'

/** The work of a gateway in a few words, for the line at its start. */
export function modeText({ mode, summaries }: Pick<GatewaySettings, 'mode' | 'summaries'>): string {
  return mode === 'observe' ? MODES.observe : `${MODES[mode]}, ${SUMMARIES[summaries]}`
}

const MODES: Readonly<Record<GatewaySettings['mode'], string>> = {
  observe: 'records the sessions',
  answer: 'answers compactions',
  rewrite: 'compacts the sessions by itself',
}

const SUMMARIES: Readonly<Record<GatewaySettings['summaries'], string>> = {
  'same-request': "summaries by the agent's own model and key",
  configured: 'summaries by the configured model',
  none: 'no model is asked',
}
